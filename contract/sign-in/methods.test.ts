import { describe, expect, it } from "vitest";
import { readStatus } from "../api/status";
import { user as format } from "../api/user";
import { entryOf, isOptionKey, OPTION_SECTIONS } from "../options/options";
import { CODE_EXCHANGES, SIGN_IN_ADDRESSES } from "./exchanges";
import { SIGN_IN_METHODS } from "./methods";

const texts = Object.fromEntries(Object.keys(readStatus({})).map((name) => [name, `the ${name}`]));

describe.each(SIGN_IN_METHODS)("$title", (method) => {
  const { name, title, userField, switch: main, options, entry } = method;

  it("has a name for addresses and usernames, and a title", () => {
    expect(name).toMatch(/^[a-z][a-z0-9]{1,15}$/);
    expect(title.trim()).not.toBe("");
    // What stands at /api/oauth/ besides methods.
    expect(["state", "email", "provider"]).not.toContain(name);
  });

  it("has options of the catalogue: a switch that needs the others, and a card of its own", () => {
    expect(OPTION_SECTIONS[name]).toBe("system");
    expect(entryOf(main.option)).toMatchObject({ type: "switch", section: "login", changedBy: "root" });
    expect(main.needs.length).toBeGreaterThan(0);
    for (const key of main.needs) expect(Object.keys(options)).toContain(key);
    for (const key of Object.keys(options)) {
      expect([key, isOptionKey(key)]).toEqual([key, true]);
      expect(entryOf(key)).toMatchObject({ section: name, default: "" });
    }
  });

  it("is off in a status that does not know it, and in every user's form", () => {
    expect(readStatus({})).toHaveProperty(main.status, false);
    expect(readStatus({ [main.status]: true })).toHaveProperty(main.status, true);
    const user = format.read({ id: 1, username: "alice", [userField]: "subject" });
    expect(user?.identities).toEqual({ [name]: "subject" });
    expect(user && format.encode(user)).toHaveProperty(userField, "subject");
    const unbound = format.read({ id: 1, username: "alice", [userField]: null });
    expect(unbound?.identities).toEqual({});
    expect(unbound && format.encode(unbound)).toHaveProperty(userField, "");
  });

  it("sends people to a page over HTTPS, or shows a picture", () => {
    const told = { ...readStatus(texts), address: "https://method.example.com" };
    if (entry.kind === "typed-code") expect(told).toHaveProperty(entry.picture);
    else {
      const { address, query } = entry.consent(told, "https://gate.example.com/oauth/x");
      // An address that the status says is what root has saved.
      if (!address.startsWith("the ")) expect(new URL(address).protocol).toBe("https:");
      expect(Object.keys(query)).not.toContain("state");
    }
  });

  it("has services over HTTPS whose addresses the environment may change", () => {
    for (const [variable, address] of Object.entries(CODE_EXCHANGES[name].addresses)) {
      expect(variable).toMatch(/^[A-Z][A-Z0-9_]*_URL$/);
      expect(SIGN_IN_ADDRESSES[variable]).toBe(address);
      expect(new URL(address).protocol).toBe("https:");
      expect(address).not.toMatch(/\/$/);
    }
  });
});

it("share no name, no field and no option", () => {
  const unique = (names: readonly string[]) => expect(new Set(names).size).toBe(names.length);
  unique(SIGN_IN_METHODS.map(({ name }) => name));
  unique(SIGN_IN_METHODS.map(({ userField }) => userField));
  unique(SIGN_IN_METHODS.map((method) => method.switch.status));
  unique(SIGN_IN_METHODS.flatMap((method) => [method.switch.option, ...Object.keys(method.options)]));
  unique(Object.values(CODE_EXCHANGES).flatMap(({ addresses }) => Object.keys(addresses)));
});
