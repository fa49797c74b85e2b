import { expect, it } from "vitest";
import { mayFavour } from "./favour";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "./roles";

it("lets root alone decide about the money of administrators and root", () => {
  const ranks = [ROLE_USER, ROLE_ADMIN, ROLE_ROOT];
  const allowed = ranks.map((decider) => ranks.filter((beneficiary) => mayFavour(decider, beneficiary)));
  expect(allowed).toEqual([[ROLE_USER], [ROLE_USER], ranks]);
});
