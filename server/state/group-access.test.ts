import { describe, expect, it } from "vitest";
import { createGroupAccess } from "./group-access";

const setUp = (texts: Record<string, string> = {}) => {
  let tell = (_key: string): void => {};
  const access = createGroupAccess({
    text: (key) => texts[key] ?? (key === "AutoGroups" ? "" : "{}"),
    onChange: (listener) => {
      tell = listener;
    },
  });
  const keyOf = (groups: string[], group?: string, autoGroups?: string[]) => ({
    user: { groups },
    group,
    autoGroups,
  });
  return {
    access,
    groupsOf: (groups: string[], group?: string, autoGroups?: string[]) =>
      access.groupsOf(keyOf(groups, group, autoGroups)),
    usable: (...groups: string[]) => [...access.usableBy(groups).keys()],
    set(key: string, text: string) {
      texts[key] = text;
      tell(key);
    },
  };
};

describe("the groups that keys may choose", () => {
  it("are the user's own, until the site offers more", () => {
    const { usable, groupsOf } = setUp();
    expect(usable("b", "a")).toEqual(["b", "a"]);
    expect(groupsOf(["b", "a"])).toEqual(["b", "a"]);
    expect(groupsOf(["b", "a"], "a")).toEqual(["a"]);
    expect(groupsOf(["b", "a"], "c")).toEqual([]);
    expect(groupsOf(["b", "a"], "auto")).toEqual(["b", "a"]);
  });

  it("are offered to all users, only to users of a group, or hidden from a group", () => {
    const { access, usable } = setUp({
      UserUsableGroups: JSON.stringify({ free: "Slow", premium: "Fast" }),
      GroupUsableGroups: JSON.stringify({ vip: { "+:gold": "Best", silver: "Good", "-:free": "" } }),
    });
    expect(usable("default")).toEqual(["default", "free", "premium"]);
    expect(usable("vip")).toEqual(["vip", "premium", "gold", "silver"]);
    // A group that is closed to one group may be open to another.
    expect(usable("vip", "default")).toEqual(["vip", "default", "premium", "gold", "silver", "free"]);
    expect(access.usableBy(["vip"]).get("gold")).toBe("Best");
  });

  it("go one after another for auto, as far as the user may use them", () => {
    const { groupsOf, set } = setUp({
      UserUsableGroups: '{"free":"","premium":""}',
      AutoGroups: "premium, secret,free,premium",
    });
    expect(groupsOf(["default"], "auto")).toEqual(["premium", "free"]);
    expect(groupsOf(["default"], "auto", ["free", "secret", "default"])).toEqual(["free", "default"]);
    set("UserUsableGroups", '{"free":""}');
    expect(groupsOf(["default"], "auto")).toEqual(["free"]);
    // Nothing of the site's list is left: its own.
    set("UserUsableGroups", "{}");
    expect(groupsOf(["default"], "auto")).toEqual(["default"]);
    // Of a list of the key's own nothing stands for it: the key is refused.
    expect(groupsOf(["default"], "auto", ["free"])).toEqual([]);
  });

  it("are taken away at once", () => {
    const { groupsOf, set } = setUp({ UserUsableGroups: '{"free":""}' });
    const groups = ["default"];
    expect(groupsOf(groups, "free")).toEqual(["free"]);
    set("UserUsableGroups", "{}");
    expect(groupsOf(groups, "free")).toEqual([]);
    expect(groupsOf(["default", "free"], "free")).toEqual(["free"]);
  });

  it("may have names of inherited properties", () => {
    const { groupsOf, usable } = setUp({ UserUsableGroups: '{"__proto__":"a","constructor":"b"}' });
    expect(usable("default")).toEqual(["default", "__proto__", "constructor"]);
    expect(groupsOf(["default"], "__proto__")).toEqual(["__proto__"]);
    expect(groupsOf(["default"], "toString")).toEqual([]);
  });

  it.each(["", "[]", "7", '{"a,b":""}', '{"auto":""}', '{" a":""}', '{"a":1}', '{"a\\u0001":""}'])(
    "are none where the option is %s",
    (text) => {
      expect(setUp({ UserUsableGroups: text }).usable("default")).toEqual(["default"]);
    },
  );
});
