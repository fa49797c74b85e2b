import { expect, it } from "vitest";

const IS_TEST = /[.]test[.]tsx$/;

/** The last part of a path, without its extension. */
const nameOf = (path: string): string => path.replace(/^.*\//, "").replace(/[.]tsx$/, "");

it("shows every component, by itself or as a part of another", () => {
  const components = import.meta.glob<string>("../../components/**/*.tsx", {
    query: "?raw",
    import: "default",
    eager: true,
  });
  const gallery = import.meta.glob<string>("./*.tsx", { query: "?raw", import: "default", eager: true });
  const files = Object.entries({ ...components, ...gallery }).filter(([path]) => !IS_TEST.test(path));
  const isShown = (component: string) =>
    files.some(([path, text]) => nameOf(path) !== component && text.includes(`/${component}"`));
  const names = Object.keys(components).filter((path) => !IS_TEST.test(path));
  expect(names.length).toBeGreaterThan(50);
  expect(names.map(nameOf).filter((name) => !isShown(name))).toEqual([]);
});
