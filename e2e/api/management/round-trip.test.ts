import { KEY_SETTINGS } from "@tollgate/contract/api/tokens";
import { addToken } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

/*
 * Every declared setting of a resource goes there and back: made with the resource, listed, changed, listed, and taken away. The
 * cases follow from the declarations, so a new setting is tried without a line here.
 */

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

interface Declared {
  readonly name: string;
  readonly kind: string;
  readonly options: readonly string[];
}

type Values = readonly [first: unknown, then: unknown, unset: unknown];

/** Values of settings that do not take any text. */
const FITTING: Readonly<Record<string, Values>> = {
  subnet: ["10.0.0.0/8", "203.0.113.7,192.168.0.0/16", ""],
  group: ["auto", "default", ""],
  auto_groups: ["default", "default", ""],
};

const valuesOf = ({ name, kind, options }: Declared): Values => {
  const fitting = FITTING[name];
  if (fitting) return fitting;
  if (kind === "flag") return [true, true, false];
  if (kind === "choice") return [options[0], options.at(-1), ""];
  return kind === "list" ? ["a,b", "c", ""] : ["first · 第一", "then, \"quoted\" 'text'", ""];
};

const SETTINGS: readonly (readonly [name: string, values: Values])[] = Object.values(KEY_SETTINGS).map(
  (declared) => [declared.name, valuesOf(declared)],
);

type Wire = Readonly<Record<string, unknown>>;

describe("a setting of an API key", () => {
  it.each(SETTINGS)("%s is kept from its creation on, changed and taken away", async (name, values) => {
    const { user } = world;
    const [first, then, unset] = values;
    const { id } = await addToken(user, { name: "round trip", [name]: first });
    const edit = (more: Wire) => succeed(user.api("PUT", "/api/token/", { id, ...more }));
    const read = async (): Promise<unknown[]> => {
      const one = await succeed<Wire>(user.api("GET", `/api/token/${id}`));
      const page = await succeed<Wire[]>(user.api("GET", "/api/token/?p=0"));
      const found = await succeed<Wire[]>(user.api("GET", "/api/token/search?keyword=round"));
      return [one, ...page, ...found].filter((token) => token.id === id).map((token) => token[name]);
    };
    expect(await read()).toEqual([first, first, first]);
    // An edit of another field leaves it.
    await edit({ name: "round trip, too" });
    expect(await read()).toEqual([first, first, first]);
    await edit({ [name]: then });
    expect(await read()).toEqual([then, then, then]);
    await edit({ [name]: unset });
    expect(await read()).toEqual([undefined, undefined, undefined]);
  });
});
