import { expect, it } from "vitest";
import { findRelyingParty } from "./relying-party";

const partyOf = (address: string) => findRelyingParty({ serverAddress: () => address });

it.each([
  ["https://gate.example", "gate.example", "https://gate.example"],
  ["https://gate.example:8443/console/", "gate.example", "https://gate.example:8443"],
  ["https://GATE.example", "gate.example", "https://gate.example"],
  ["https://网关.example", "xn--d6q013i.example", "https://xn--d6q013i.example"],
  ["http://localhost:3000", "localhost", "http://localhost:3000"],
  ["http://gate.localhost", "gate.localhost", "http://gate.localhost"],
])("%s has passkeys of %s", (address, id, origin) => {
  expect(partyOf(address)).toEqual({ id, origin });
});

it.each([
  "http://gate.example",
  "http://localhost.evil.example",
  "https://192.0.2.1",
  "https://[2001:db8::1]",
  "http://127.0.0.1:3000",
  "ftp://gate.example",
  "gate.example",
  "",
])("%s has none", (address) => {
  expect(partyOf(address)).toBeUndefined();
});
