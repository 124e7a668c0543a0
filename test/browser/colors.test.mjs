// The colours of field managers can be told apart with and without each kind
// of colour blindness.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

// What full protanopia, deuteranopia and tritanopia make of linear RGB
// (Machado, Oliveira and Fernandes 2009).
const sights = {
  full: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

// What differs by this much in Oklab is seen to differ also in small marks.
const least = 0.1;

const times = (matrix, v) => matrix.map((row) => row.reduce((sum, x, i) => sum + x * v[i], 0));

const linear = (hex) => [1, 3, 5].map((i) => {
  const c = parseInt(hex.slice(i, i + 2), 16) / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
});

function oklab(rgb) {
  const cones = times([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
  ], rgb.map((c) => Math.min(1, Math.max(0, c)))).map(Math.cbrt);
  return times([
    [0.2104542553, 0.793617785, -0.0040720468],
    [1.9779984951, -2.428592205, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.808675766],
  ], cones);
}

const css = readFileSync(join(import.meta.dirname, '../../internal/render/html/page.css'), 'utf8');
const colors = [...css.matchAll(/--c[0-7]: (#[0-9a-f]{6})/g)].map((match) => match[1]);

for (const [scheme, list] of Object.entries({ light: colors.slice(0, 8), dark: colors.slice(8) })) {
  for (const [sight, matrix] of Object.entries(sights)) {
    test(`${scheme}, ${sight}`, () => {
      assert.equal(list.length, 8);
      const seen = list.map((hex) => oklab(times(matrix, linear(hex))));
      const near = [];
      seen.forEach((a, i) => seen.slice(0, i).forEach((b, j) => {
        const distance = Math.hypot(...a.map((x, k) => x - b[k]));
        if (distance < least) near.push(`${list[j]} and ${list[i]}: ${distance.toFixed(3)}`);
      }));
      assert.deepEqual(near, []);
    });
  }
}
