// Starts the browser, and opens the pages that ./pages writes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const flags = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

// writePages gives the folder of the pages.
export function writePages() {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'));
  execFileSync('go', ['run', './pages', folder], { cwd: import.meta.dirname, stdio: 'inherit' });
  return folder;
}

// writeSite gives the folder of the site of the documentation.
export function writeSite() {
  const folder = mkdtempSync(join(tmpdir(), 'site-'));
  execFileSync('go', ['run', '../../hack/site', '-C', '../..', folder], { cwd: import.meta.dirname, stdio: 'inherit' });
  return folder;
}

// open gives a page in a browser of its own. What goes wrong is collected in
// trouble: console messages, errors, dialogs, and requests for anything but
// the page, or what is in a folder. With a policy, the page comes from a server
// that sends it as its content security policy. close ends the browser.
export async function open(file, { width = 1280, script = true, scheme = 'light', policy = '', folder = '' } = {}) {
  const profile = mkdtempSync(join(tmpdir(), 'profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    args: flags,
    viewport: { width, height: 900 },
    colorScheme: scheme,
    javaScriptEnabled: script,
  });
  const page = await context.newPage();
  const trouble = [];
  const server = policy === '' ? null : await serve(file, policy);
  const url = server ? `http://127.0.0.1:${server.address().port}/` : pathToFileURL(file).href;
  page.on('console', (message) => trouble.push('console: ' + message.text()));
  page.on('pageerror', (error) => trouble.push('error: ' + error.message));
  page.on('dialog', (dialog) => { trouble.push('dialog: ' + dialog.message()); dialog.dismiss(); });
  page.on('request', (request) => {
    const inside = folder !== '' && request.url().startsWith(pathToFileURL(folder).href + '/');
    if (request.url().split('#')[0] !== url && !inside && request.url() !== 'data:,') trouble.push('request: ' + request.url());
  });
  await page.goto(url);
  return {
    page, trouble,
    close: async () => {
      await context.close();
      server?.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function serve(file, policy) {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.setHeader('Content-Security-Policy', policy);
    response.end(readFileSync(file));
  });
  return new Promise((resolve) => { server.listen(0, '127.0.0.1', () => resolve(server)); });
}
