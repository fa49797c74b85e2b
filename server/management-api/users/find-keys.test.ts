import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { expect, it } from "vitest";
import type { Services } from "../services";
import { findKeys } from "./find-keys";

const root = { id: 1, username: "root", role: ROLE_ROOT };
const admin = { id: 2, username: "admin", role: ROLE_ADMIN };
const otherAdmin = { id: 3, username: "adele", role: ROLE_ADMIN };
const alice = { id: 4, username: "Alice", role: ROLE_USER };

const key = (id: number, name: string, user: object) => ({ id, name, status: 1, user });
const KEYS = [
  key(1, "root's", root),
  key(2, "laptop", admin),
  key(3, "laptop", otherAdmin),
  key(4, "Laptop 4", alice),
  key(5, "server", alice),
];
const services = { accounts: { keys: { all: () => KEYS } } } as unknown as Services;
const idsOf = async (caller: typeof root, keyword: string, limit = 9) =>
  (await findKeys(services, caller, keyword, limit)).map(({ id }) => id);

it("finds keys by the beginning of their name or their user's, without regard to case", async () => {
  expect(await idsOf(root, "LAP")).toEqual([4, 3, 2]);
  expect(await idsOf(root, "alic")).toEqual([5, 4]);
  expect(await idsOf(root, "top")).toEqual([]);
  expect(await idsOf(root, " ")).toEqual([]);
  expect(await idsOf(root, "lap", 1)).toEqual([4]);
});

it("puts the key with the typed id first", async () => {
  expect(await idsOf(root, "4")).toEqual([4]);
});

it("leaves out keys of users that an administrator may not see", async () => {
  expect(await idsOf(admin, "lap")).toEqual([4, 2]);
  expect(await idsOf(admin, "root")).toEqual([]);
  expect(await idsOf(admin, "3")).toEqual([]);
});

it("returns no secret", async () => {
  expect(await findKeys(services, root, "server", 9)).toEqual([
    { id: 5, name: "server", status: 1, userId: 4, username: "Alice" },
  ]);
});
