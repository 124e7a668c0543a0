// tooWide names elements that reach out of the window to the right, where nothing
// around them scrolls.
export const tooWide = (page) => page.evaluate(() => {
  const wide = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  for (const element of document.querySelectorAll('main *')) {
    if (element.closest('.vh, .scroll')) continue;
    const box = element.getBoundingClientRect();
    if (box.width > 0 && box.right > innerWidth + 1) wide.push(element.tagName + ' ' + element.className);
  }
  return wide.slice(0, 5);
});
