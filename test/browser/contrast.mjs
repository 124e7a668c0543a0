// lowContrast runs in the page, and names texts that have less than 4.5 to 1
// against what is behind them, and marks of managers with less than 3 to 1.
export function lowContrast() {
  const channels = (color) => {
    const list = color.match(/[\d.]+/g).map(Number);
    return color.startsWith('color(srgb') ? list.map((c, i) => (i < 3 ? c * 255 : c)) : list;
  };
  const luminance = ([r, g, b]) => {
    const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  };
  const ratio = (a, b) => {
    const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
  const behind = (element) => {
    for (let e = element; e; e = e.parentElement) {
      const color = channels(getComputedStyle(e).backgroundColor);
      if (color.length === 3 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const low = new Set();
  const check = (element, color, least) => {
    const r = ratio(channels(color), behind(element));
    if (r < least) low.add(`${element.tagName} ${element.className}: ${r.toFixed(2)}`);
  };
  for (const element of document.body.querySelectorAll('*')) {
    const texts = Array.from(element.childNodes).some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== '');
    if (!texts || !element.checkVisibility() || element.closest('.vh, script')) continue;
    check(element, getComputedStyle(element).color, 4.5);
    if (element.classList.contains('m')) check(element, getComputedStyle(element, '::before').borderTopColor, 3);
  }
  return [...low];
}
