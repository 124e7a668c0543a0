// The html format in a real browser: layout, filters, keyboard, contrast.
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { open, writePages } from './browser.mjs';
import { lowContrast } from './contrast.mjs';
import { tooWide } from './fit.mjs';

let folder;
before(() => { folder = writePages(); });
after(() => rmSync(folder, { recursive: true, force: true }));

// withPage runs a test on a page, on which nothing may go wrong.
function withPage(name, file, options, run) {
  test(name, async (t) => {
    const browser = await open(join(folder, file), options);
    try {
      await run(browser.page, t);
      assert.deepEqual(browser.trouble, []);
    } finally {
      await browser.close();
    }
  });
}

const unfoldEverything = (page) => page.evaluate(() => {
  for (const details of document.querySelectorAll('details')) details.open = true;
});

const shownNames = (page) => page.locator('.object > summary h3:visible').allTextContents();

for (const width of [390, 1280]) {
  for (const script of [true, false]) {
    const options = { width, script };
    describe(`${width} px, ${script ? 'with' : 'without'} script`, () => {
      for (const file of ['mixed.html', 'hostile.html']) {
        withPage(`${file} fits and does not act`, file, options, async (page) => {
          assert.deepEqual(await tooWide(page), []);
          await unfoldEverything(page);
          assert.deepEqual(await tooWide(page), []);
          assert.equal(await page.evaluate(() => globalThis.acted), undefined);
          assert.equal(await page.evaluate(() => document.scripts.length + document.images.length + document.styleSheets.length), 2);
        });
      }

      withPage('outcomes can be hidden', 'mixed.html', options, async (page) => {
        const all = (await shownNames(page)).length;
        assert.equal(all, 21);
        await page.getByRole('checkbox', { name: 'unchanged' }).uncheck();
        await page.waitForFunction(() => document.querySelector('.group.unchanged .object').checkVisibility() === false);
        assert.equal((await shownNames(page)).length, 7);
        await page.getByRole('checkbox', { name: 'unchanged' }).check();
        await page.waitForFunction(() => document.querySelector('.group.unchanged .object').checkVisibility());
        assert.equal((await shownNames(page)).length, all);
      });

      withPage('refusals are unfolded, the rest unfolds', 'mixed.html', options, async (page) => {
        assert.ok(await page.getByRole('heading', { name: 'Options to resolve it' }).isVisible());
        const api = page.locator('.object', { has: page.getByRole('heading', { name: 'deployment.apps/api' }) });
        assert.equal(await api.getAttribute('open'), null);
        await api.locator('> summary').click();
        assert.ok(await api.locator('.diff del').first().isVisible());
        assert.match(await api.locator('.diff').innerText(), /- +- image: registry\.example\.com\/api:1\.4\.2/);
        const owners = api.locator('.part', { has: page.getByRole('heading', { name: 'Owners after this write' }) });
        assert.match(await owners.locator('.listing tr', { hasText: 'team: shop' }).first().innerText(), /helm \+1[\s\S]*team: shop/);
      });
    });
  }
}

describe('filters', () => {
  withPage('by text, kind and manager', 'mixed.html', {}, async (page) => {
    const shown = page.locator('#shown');
    const becomes = (text) => page.waitForFunction((want) => document.querySelector('#shown').textContent === want, text);
    await becomes('All 21 shown');
    await page.getByLabel('Name, file or changed field').fill('API deployment');
    await becomes('1 of 21 shown');
    assert.match((await shownNames(page)).join(), /^deployment\.apps\/api configured [^,]*$/);
    await page.getByLabel('Name, file or changed field').fill('nothing has this');
    await becomes('0 of 21 shown');
    assert.ok(await page.getByText('No object matches the filters.').isVisible());
    await page.getByRole('button', { name: 'Reset' }).click();
    await becomes('All 21 shown');
    await page.getByLabel('Kind', { exact: true }).selectOption('ConfigMap (1)');
    await becomes('1 of 21 shown');
    await page.getByLabel('Kind', { exact: true }).selectOption('all kinds');
    await becomes('All 21 shown');
    await page.getByLabel('Field manager', { exact: true }).selectOption('team-c (1)');
    await becomes('1 of 21 shown');
    assert.match((await shownNames(page)).join(), /^ingress\.networking\.k8s\.io\/site-2 [^,]*$/);
    assert.equal(await page.locator('.group.unchanged h2 .n').innerText(), '1 of 14');
    assert.equal(await shown.innerText(), '1 of 21 shown');
  });

  withPage('fold and unfold what is shown', 'mixed.html', {}, async (page) => {
    await page.getByRole('checkbox', { name: 'unchanged' }).uncheck();
    await page.waitForFunction(() => document.querySelector('#shown').textContent === '7 of 21 shown');
    await page.getByRole('button', { name: 'Unfold all' }).click();
    assert.equal(await page.locator('.object[open]').count(), 7);
    await page.getByRole('button', { name: 'Fold all', exact: true }).click();
    assert.equal(await page.locator('.object[open]').count(), 0);
  });

  withPage('a link unfolds its object', 'mixed.html', {}, async (page) => {
    await page.getByLabel('Name, file or changed field').fill('nothing has this');
    await page.waitForFunction(() => document.querySelector('#shown').textContent === '0 of 21 shown');
    await page.evaluate(() => { location.hash = '#object-2'; });
    await page.waitForFunction(() => document.querySelector('#object-2').open);
    assert.ok(await page.locator('#object-2 .diff').isVisible());
  });

  withPage('thousands of objects', 'large.html', {}, async (page, t) => {
    assert.equal(await page.locator('#shown').innerText(), 'All 3000 shown');
    const find = page.locator('#find');
    await find.fill('app-2999');
    await page.waitForFunction(() => document.querySelector('#shown').textContent === '1 of 3000 shown');
    await find.fill('');
    await page.waitForFunction(() => document.querySelector('#shown').textContent === 'All 3000 shown');
    // By its id: finding it by role works out the names of all that is on the page.
    await page.locator('#unfold').click();
    assert.equal(await page.locator('.object[open]').count(), 3000);
    t.diagnostic(`elements: ${await page.evaluate(() => document.querySelectorAll('*').length)}`);
    t.diagnostic(`load: ${await page.evaluate(() => Math.round(performance.timing.loadEventEnd - performance.timing.navigationStart))} ms`);
  });
});

describe('field managers', () => {
  for (const script of [true, false]) {
    withPage(`lead to their objects, ${script ? 'with' : 'without'} script`, 'mixed.html', { script }, async (page) => {
      await page.getByRole('heading', { name: 'Objects by field manager' }).click();
      const team = page.locator('.managers dt', { hasText: 'team-c' });
      assert.equal(await team.innerText(), 'team-c 1');
      await team.locator('+ dd a').click();
      assert.match(page.url(), /#object-\d+$/);
      assert.equal(await page.locator(new URL(page.url()).hash).evaluate((e) => e.open), script);
    });
  }
});

describe('on paper', () => {
  for (const scheme of ['light', 'dark']) {
    withPage(`decisions and changes are unfolded, ${scheme}`, 'mixed.html', { scheme, width: 794 }, async (page) => {
      await page.emulateMedia({ media: 'print', colorScheme: scheme });
      const seen = (selector) => page.evaluate((s) => Array.from(document.querySelectorAll(s), (e) => e.checkVisibility({ contentVisibilityAuto: true }) && e.getBoundingClientRect().height > 0), selector);
      assert.ok((await seen('.group.configured .object > .body')).every(Boolean));
      assert.ok((await seen('.group.conflicted .object > .body')).every(Boolean));
      assert.ok(!(await seen('.group.unchanged .object > .body')).some(Boolean));
      assert.ok((await seen('.group.unchanged .object > summary')).every(Boolean));
      assert.ok(!(await seen('form, .managers, .command button')).some(Boolean));
      assert.deepEqual(await tooWide(page), []);
      assert.equal(await page.evaluate(() => getComputedStyle(document.body).color), 'rgb(27, 32, 39)');
    });
  }
});

describe('served under a stricter policy', () => {
  // What is forbidden is told in the console, so that trouble is expected.
  for (const policy of ["sandbox; default-src 'none'; style-src 'unsafe-inline'", "sandbox; default-src 'none'"]) {
    test(policy, async () => {
      const { page, close } = await open(join(folder, 'mixed.html'), { policy });
      try {
        assert.ok(await page.getByText('3 of 21 objects would be refused').isVisible());
        assert.ok(await page.getByRole('heading', { name: 'Options to resolve it' }).isVisible());
        await page.locator('#object-2 > summary').click();
        assert.ok(await page.locator('#object-2 .diff del').first().isVisible());
        if (policy.includes('style-src')) assert.deepEqual(await tooWide(page), []);
      } finally {
        await close();
      }
    });
  }
});

describe('keyboard and assistive technology', () => {
  withPage('focus goes from the skip link through the filters to the objects', 'mixed.html', {}, async (page) => {
    const focused = () => page.evaluate(() => {
      const e = document.activeElement;
      return e.id || e.className || e.textContent.trim().slice(0, 30);
    });
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'skip');
    assert.ok(await page.locator('.skip').evaluate((e) => e.getBoundingClientRect().left >= 0));
    const order = [];
    for (let i = 0; i < 15; i++) {
      await page.keyboard.press('Tab');
      order.push(await focused());
    }
    assert.deepEqual(order, ['Conflicts by field manager', 'Copy', 'Rejected by the API server', ...[0, 1, 2, 3, 4, 5].map((i) => 'show-' + i), 'find', 'kind', 'manager', 'unfold', 'fold', 'clear']);
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement.parentElement.className), 'object');
    const before = await page.evaluate(() => document.activeElement.parentElement.open);
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.parentElement.open), !before);
  });

  withPage('landmarks and headings', 'mixed.html', {}, async (page) => {
    for (const role of ['banner', 'main', 'search']) assert.equal(await page.getByRole(role).count(), 1, role);
    assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1);
    const groups = await page.locator('.group h2').allInnerTexts();
    assert.deepEqual(groups.map((text) => text.split(/\s/)[0]), ['Needs', 'Changes', 'Nothing']);
    assert.ok(await page.getByRole('region', { name: /^Needs a decision/ }).isVisible());
  });

  for (const scheme of ['light', 'dark']) {
    withPage(`contrast, ${scheme}`, 'mixed.html', { scheme }, async (page) => {
      await unfoldEverything(page);
      await page.getByRole('checkbox', { name: 'unchanged' }).uncheck();
      assert.deepEqual(await page.evaluate(lowContrast), []);
    });
  }
});
