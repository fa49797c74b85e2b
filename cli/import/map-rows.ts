import type { ImportedUser } from "@tollgate/contract/records/imported-records";
import { formatDecimal } from "@tollgate/contract/values/decimal";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { NO_PASSWORD } from "@tollgate/server/management-api/sign-in/passwords";
import { highestOf } from "./highest-id";
import { ImportRefused } from "./import-refused";
import type { ImportWish } from "./import-wish";
import { mapApiKeys } from "./map-api-keys";
import { mapChannels } from "./map-channels";
import { mapOptions } from "./map-options";
import { mapPasskeys } from "./map-passkeys";
import { mapPlans } from "./map-plans";
import { mapSecondFactors } from "./map-second-factors";
import { mapUsers } from "./map-users";
import type { MappedOptions } from "./mapped";
import { readPriceTables } from "./price-tables";
import type { Rows } from "./read-rows";
import type { OpenTables } from "./read-source";
import type { RemarkCode } from "./remarks";
import type { TableRemarks } from "./table-remarks";

/** How many names a refusal tells. */
const MAX_SEEN = 5;

const byId = <Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** A person must be able to administer it: a source without root gets one that has no password yet. */
const withRoot = (
  users: readonly ImportedUser[],
  id: number,
  now: number,
  remarks: TableRemarks,
): ImportedUser[] => {
  if (users.some(({ role, status }) => role >= ROLE_ROOT && status === USER_ENABLED)) return [...users];
  let username = "root";
  while (users.some((user) => user.username === username)) username = `_${username}`;
  remarks.add("noted", "root-added", id, { after: username });
  const root: ImportedUser = {
    id,
    username,
    passwordHash: NO_PASSWORD,
    displayName: "Root User",
    role: ROLE_ROOT,
    status: USER_ENABLED,
    quota: 0,
    usedQuota: 0,
    unloggedQuota: 0,
    requestCount: 0,
    group: "default",
    email: "",
    identities: [],
    inviterId: 0,
    affCode: "",
    accessToken: undefined,
    createdTime: now,
  };
  return [...users, root];
};

/** @throws ImportRefused where a person has to decide about prices before they are written. */
const checkPrices = (
  { options, remarks }: MappedOptions,
  { priceDecision, missingPrices }: ImportWish,
): void => {
  const namesOf = (code: RemarkCode) => {
    const found = remarks.filter((remark) => remark.code === code);
    const names = found.slice(0, MAX_SEEN).map(({ values }) => values.name);
    return { count: found.length, seen: names.join(", ") };
  };
  const contradictory = namesOf("price-conflict");
  if (contradictory.count > 0 && priceDecision === undefined)
    throw new ImportRefused("prices-contradict", contradictory);
  const missing = namesOf("price-missing");
  const hasFallback = options.some(({ key }) => key === "FallbackModelRatio");
  if (missing.count > 0 && missingPrices === undefined && !hasFallback)
    throw new ImportRefused("prices-missing", missing);
};

/**
 * Maps the rows, as far as they do not depend on the log.
 * @throws ImportRefused
 */
export const mapRows = (rows: Rows, wish: ImportWish, { origin, remarks }: OpenTables) => {
  const { now, isApplied } = wish;
  const { tables: prices } = readPriceTables(origin.series, rows.options, wish.pricing);
  const mappedPlans = mapPlans(
    rows,
    wish.plans,
    { now, quotaPerUnit: Number(formatDecimal(prices.quotaPerUnit)) },
    remarks,
  );
  if (isApplied && mappedPlans.undecided > 0)
    throw new ImportRefused("subscriptions-undecided", { count: mappedPlans.undecided });
  const mapped = mapUsers(rows.users, origin, mappedPlans.ownGroups, remarks.users);
  const users = withRoot(mapped, highestOf(rows.users) + 1, now, remarks.users);
  const usersById = byId(users);
  const isUser = (id: number): boolean => usersById.has(id);
  const secondFactors = mapSecondFactors(rows.secondFactors, isUser, now, remarks.two_fas);
  const passkeys = mapPasskeys(rows.passkeys, rows.options, isUser, now, remarks.passkey_credentials);
  const { plans } = mappedPlans;
  const subscriptions = mappedPlans.subscriptions.filter(({ userId }) => usersById.has(userId));
  const tokens = mapApiKeys(rows.tokens, origin, usersById, remarks.tokens);
  const channels = mapChannels(rows.channels, origin);
  remarks.channels.addAll(channels.remarks);
  const planGroups = [...plans, ...subscriptions.map(({ terms }) => terms)].map(({ group }) => group);
  const options = mapOptions(rows.options, origin, {
    channels: rows.channels,
    groups: new Set([...users.map(({ group }) => group), ...planGroups.filter(Boolean)]),
    pricing: wish.pricing,
    priceDecision: wish.priceDecision,
    missingPrices: wish.missingPrices,
  });
  if (plans.length + subscriptions.length > 0) {
    options.options.push({ key: "PlansEnabled", value: "true", isSecret: false });
    remarks.options.add("noted", "plans-enabled", "PlansEnabled");
  }
  remarks.options.addAll(options.remarks);
  if (isApplied) checkPrices(options, wish);
  return {
    records: {
      options: options.options,
      announcements: options.announcements,
      users,
      secondFactors,
      passkeys,
      tokens,
      channels: channels.records,
      plans,
      subscriptions,
    },
    usersById,
    /** Ids of the source's users, without a root that is added. */
    keptIds: new Set(mapped.map(({ id }) => id)),
    quotaPerUnit: options.quotaPerUnit,
  };
};

export type Mapped = ReturnType<typeof mapRows>;
