import { createHash } from "node:crypto";
import { setImmediate as turnOfOthers } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { User } from "@tollgate/accounts/users";
import { DEFAULT_GROUP } from "@tollgate/contract/management/group";
import { pricingAnswerSchema } from "@tollgate/contract/management/pricing";
import { createPriceList } from "../prices/price-list";
import { Failure } from "./failure";
import { KeptAnswer, type Route, readMaybeCaller, route } from "./route";
import type { Services } from "./services";

/** Whoever has no account sees what a newcomer would. */
const NEWCOMERS: readonly string[] = [DEFAULT_GROUP];

/** Lists that are kept, each for all readers who see the same. A list of 2,000 models takes a megabyte. */
const MOST_LISTS = 32;
/** A price may change by its date. */
const KEPT_MS = 60_000;

const zip = promisify(gzip);

interface KeptList {
  readonly answer: Promise<KeptAnswer>;
  readonly madeAtMs: number;
}

/** What models cost the reader; beyond the contract, in the shape of new-api's answer. */
export const pricingRoutes = (services: Services): Route[] => {
  const { accounts, channels, options, pricing, groupAccess, now } = services;
  let lists = new Map<string, KeptList>();
  accounts.changes.subscribe(({ of }) => {
    if (of === "channel") lists = new Map();
  });
  options.onChange(() => {
    lists = new Map();
  });

  const make = async (groups: readonly string[], id: number | undefined): Promise<KeptAnswer> => {
    const list = await createPriceList(
      {
        book: pricing.book(),
        find: pricing.find,
        modelsOf: (group) => channels.modelsOf(group),
        candidates: (group, model) => channels.candidates(group, model),
        nowMs: now() * 1000,
        giveWay: async () => {
          await turnOfOthers();
        },
      },
      { payer: { id, groups }, usable: groupAccess.usableBy(groups), auto: groupAccess.autoOf(groups) },
    );
    const version = createHash("sha256").update(JSON.stringify(list)).digest("base64url").slice(0, 22);
    const json = JSON.stringify({ success: true, message: "", ...list, pricing_version: version });
    return new KeptAnswer(json, await zip(json), `"${version}"`);
  };

  /** One list for all who see the same: of the same groups, and named by no rule. */
  const listFor = (user: User | undefined): Promise<KeptAnswer> => {
    const groups = user?.groups ?? NEWCOMERS;
    const id = pricing.book().rules?.names(user?.id) ? user?.id : undefined;
    const key = `${id ?? ""} ${groups.join(",")}`;
    const nowMs = now() * 1000;
    const kept = lists.get(key);
    if (kept && nowMs - kept.madeAtMs < KEPT_MS) return kept.answer;
    const made = { answer: make(groups, id), madeAtMs: nowMs };
    const all = lists;
    all.delete(key);
    all.set(key, made);
    made.answer.catch(() => all.delete(key));
    for (const oldest of all.keys()) {
      if (all.size <= MOST_LISTS) break;
      all.delete(oldest);
    }
    return made.answer;
  };

  return [
    route({
      method: "GET",
      path: "/api/pricing",
      guard: "none",
      mayRefuseGuests: true,
      summary: "What models cost the reader in each group that he may use, in the shape of new-api's answer",
      data: pricingAnswerSchema.shape.data,
      async answer({ request }) {
        const shown = options.text("PricePage");
        const caller = await readMaybeCaller(services, request);
        if (shown === "off") throw new Failure("price-page-off", {}, 403);
        if (shown !== "public" && !caller) throw new Failure("not-signed-in", {}, 401);
        return listFor(caller);
      },
    }),
  ];
};
