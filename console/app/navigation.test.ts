import { expect, it } from "vitest";
import { pageLabel } from "./navigation";

it.each([
  ["/", "nav.home"],
  ["/token", "nav.token"],
  ["/setting", "nav.setting"],
  ["/setting/prices", "nav.priceLists"],
  ["/pricing", "nav.pricing"],
  ["/pricing/rules", "nav.priceRules"],
  ["/token/edit/7", "nav.token"],
  ["/token/connect", "nav.connect"],
  ["/dashboard", "nav.usage"],
  ["/tokens", undefined],
  ["/login", "nav.login"],
  ["/register", "nav.register"],
  ["/nowhere", undefined],
])("the page at %s is called %s", (path, label) => {
  expect(pageLabel(path)).toBe(label);
});
