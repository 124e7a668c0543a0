// The site of the documentation in a real browser: each page at the widths of a phone
// and a desktop, in light and dark, without a script.
import assert from 'node:assert/strict';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { open, writeSite } from './browser.mjs';
import { lowContrast } from './contrast.mjs';
import { tooWide } from './fit.mjs';

let folder;
before(() => { folder = writeSite(); });
after(() => rmSync(folder, { recursive: true, force: true }));

const pagesOf = () => readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html')).sort();

// onEachPage runs a check on every page, which gives what is wrong with it.
function onEachPage(name, options, check) {
  test(name, async () => {
    const pages = pagesOf();
    assert.ok(pages.length > 40, `only ${pages.length} pages`);
    const browser = await open(join(folder, 'index.html'), { folder, ...options });
    try {
      const wrong = [];
      for (const file of pages) {
        await browser.page.goto(pathToFileURL(join(folder, file)).href);
        for (const fault of await check(browser.page)) wrong.push(`${file}: ${fault}`);
      }
      assert.deepEqual(wrong, []);
      assert.deepEqual(browser.trouble, []);
    } finally {
      await browser.close();
    }
  });
}

const brokenPictures = (page) => page.evaluate(() => Array.from(document.images).filter((i) => !i.complete || i.naturalWidth === 0).map((i) => i.src));

for (const width of [390, 820, 1280, 1600]) {
  onEachPage(`fits into ${width} px, with its pictures`, { width, script: false }, async (page) => [...await tooWide(page), ...await brokenPictures(page)]);
}

for (const scheme of ['light', 'dark']) {
  for (const width of [390, 1600]) {
    onEachPage(`contrast, ${scheme}, ${width} px`, { scheme, width }, async (page) => {
      await page.evaluate(() => { for (const details of document.querySelectorAll('details')) details.open = true; });
      return page.evaluate(lowContrast);
    });
  }
}

test('the menu unfolds on a phone, and is there on a desktop', async () => {
  for (const width of [390, 1280]) {
    const browser = await open(join(folder, 'tutorial.html'), { folder, width, script: false });
    try {
      const link = browser.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Flux' });
      if (width === 390) {
        assert.equal(await link.isVisible(), false);
        await browser.page.getByText('Menu', { exact: true }).click();
      }
      await link.click();
      assert.equal(await browser.page.getByRole('heading', { level: 1 }).innerText(), 'Flux undoes what a controller wrote');
      assert.equal(await browser.page.locator('nav [aria-current=page]').textContent(), 'Flux');
      assert.deepEqual(browser.trouble, []);
    } finally {
      await browser.close();
    }
  }
});

test('a keyboard gets to the page, and along its contents', async () => {
  const browser = await open(join(folder, 'troubleshooting.html'), { folder, width: 1600, script: false });
  try {
    await browser.page.keyboard.press('Tab');
    assert.equal(await browser.page.evaluate(() => document.activeElement.className), 'skip');
    await browser.page.keyboard.press('Enter');
    await browser.page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'field is immutable' }).click();
    assert.match(browser.page.url(), /#field-is-immutable$/);
    assert.ok(await browser.page.getByRole('heading', { name: 'field is immutable' }).evaluate((e) => e.getBoundingClientRect().top < innerHeight / 2));
    for (const name of ['Pages', 'On this page']) {
      const first = browser.page.getByRole('navigation', { name }).getByRole('link').first();
      assert.ok(await first.evaluate((e) => e.getBoundingClientRect().top >= 0), `${name} went out of sight`);
    }
  } finally {
    await browser.close();
  }
});
