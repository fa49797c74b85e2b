import { changeApiKey, createApiKey } from "@tollgate/contract/api/api-keys";
import { changeChannels } from "@tollgate/contract/api/channel-batches";
import { siteNotices } from "@tollgate/contract/api/notices";
import { savePriceRule } from "@tollgate/contract/api/price-rules";
import { bindEmail } from "@tollgate/contract/api/sign-in";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { describe, expect, it } from "vitest";
import { fieldAt, hasField } from "./declared-field";
import { REFUSED_FIELDS } from "./refused-fields";

describe("the field of a refusal", () => {
  it.each(Object.entries(REFUSED_FIELDS))("%s names a field that a call has: %s", (_key, field) => {
    expect(DECLARED_ENDPOINTS.some((call) => hasField(call, field))).toBe(true);
  });

  it("is found in a body, in a query, and by the beginning of a nested name", () => {
    expect(hasField(createApiKey, "subnet")).toBe(true);
    expect(hasField(bindEmail, "code")).toBe(true);
    expect(hasField(siteNotices.createTarget, "fields.url")).toBe(true);
  });

  it("is left out of a call that does not have it", () => {
    expect(hasField(createApiKey, "username")).toBe(false);
    expect(hasField(bindEmail, "toString")).toBe(false);
    expect(hasField(createApiKey, "__proto__")).toBe(false);
  });
});

describe("the field of a body's mistake", () => {
  it("is named as on the wire", () => {
    expect(fieldAt(changeApiKey, ["remain_quota"])).toBe("remain_quota");
  });

  it("has dots between nested names, and no positions", () => {
    expect(fieldAt(changeChannels, ["change", "add_models"])).toBe("change.add_models");
    expect(fieldAt(siteNotices.createTarget, ["events", 3])).toBe("events");
  });

  it("ends where the client chose the name itself", () => {
    const typed = `"><script>${"x".repeat(1000)}`;
    expect(fieldAt(siteNotices.createTarget, ["fields", typed])).toBe("fields");
    expect(fieldAt(savePriceRule, ["rule", typed, "deep"])).toBe("rule");
  });

  it("is none for names that no body declares", () => {
    expect(fieldAt(changeApiKey, ["__proto__"])).toBeUndefined();
    expect(fieldAt(changeApiKey, ["constructor", "name"])).toBeUndefined();
    expect(fieldAt({}, ["name"])).toBeUndefined();
  });
});
