// Draws the first screen of a page: picture.mjs PAGE PICTURE
import { open } from './browser.mjs';

const [page, picture] = process.argv.slice(2);
const browser = await open(page, { width: 1100 });
try {
  await browser.page.screenshot({ path: picture, animations: 'disabled' });
} finally {
  await browser.close();
}
