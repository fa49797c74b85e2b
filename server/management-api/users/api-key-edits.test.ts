import { expect, it } from "vitest";
import type { Services } from "../services";
import { readKeyEdit } from "./api-key-edits";

const services = { groupAccess: { usableBy: () => new Set<string>() } } as unknown as Services;
const balanceIn = (body: Parameters<typeof readKeyEdit>[2]) =>
  readKeyEdit(services, { groups: [] }, body).remainQuota;

it("leaves the balance of a key whose form did not edit it, whatever was used since", () => {
  expect(balanceIn({ remainQuota: 9000, originalRemainQuota: 9000 })).toBeUndefined();
  expect(balanceIn({ remainQuota: 9500, originalRemainQuota: 9000 })).toBe(9500);
  expect(balanceIn({ remainQuota: 100 })).toBe(100);
  expect(balanceIn({ originalRemainQuota: 100 })).toBeUndefined();
});
