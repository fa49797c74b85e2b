import { describe, expect, it } from "vitest";
import chartStyles from "../components/chart/chart.css?raw";
import appStyles from "./app.css?raw";

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

/** Colours as seen without one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1), in linear RGB. */
const SIGHTS: Record<string, Matrix> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const times = (matrix: Matrix, [x, y, z]: Triple): Triple =>
  matrix.map(([a, b, c]) => a * x + b * y + c * z) as Triple;

const linear = (hex: string): Triple =>
  [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Triple;

/** OKLab (Ottosson 2020): its distances measure how different colours look. */
const toLab = (rgb: Triple): Triple => {
  const clamped = rgb.map((part) => Math.min(1, Math.max(0, part))) as Triple;
  const cones = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    clamped,
  ).map(Math.cbrt) as Triple;
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    cones,
  );
};

const distance = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

const luminance = ([r, g, b]: Triple): number => 0.2126 * r + 0.7152 * g + 0.0722 * b;

const contrast = (a: Triple, b: Triple): number => {
  const [dark = 0, bright = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
};

/** The values of the matching variables, in the light (0) or the dark (1) theme's block. */
const read = (styles: string, theme: number, pattern: RegExp): string[] =>
  [...(styles.split('[data-theme="dark"]')[theme] ?? "").matchAll(pattern)].map((match) => match[1] ?? "");

describe.each([
  ["light", 0],
  ["dark", 1],
])("in the %s theme", (_name, theme) => {
  const groups = read(chartStyles, theme, /--chart-(?:\d|other): (#\w{6})/g);
  const [surface = ""] = read(appStyles, theme, /--surface: (#\w{6})/g);

  it.each(Object.keys(SIGHTS))("groups are told apart with %s sight", (sight) => {
    expect(groups).toHaveLength(7);
    const matrix = SIGHTS[sight] as Matrix;
    const seen = groups.map((color) => toLab(times(matrix, linear(color))));
    const closest = Math.min(...seen.flatMap((a, at) => seen.slice(at + 1).map((b) => distance(a, b))));
    // About four times the just noticeable difference.
    expect(closest).toBeGreaterThan(0.08);
  });

  it("groups stand out from the surface", () => {
    for (const color of groups.slice(0, 6))
      expect(contrast(linear(color), linear(surface))).toBeGreaterThan(2.4);
  });
});
