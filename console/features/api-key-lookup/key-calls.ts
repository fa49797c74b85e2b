import {
  generationDetailSchema,
  generationListSchema,
  keyDaysSchema,
  keyUsageSchema,
} from "@tollgate/contract/relay/key-usage";
import { tryParseJson } from "@tollgate/contract/values/parse-json";
import * as z from "zod/mini";
import { explain, HttpError, UnreadableError } from "../../lib/api-client";
import { apiBaseUrl } from "../../lib/base-address";
import { currentLanguage } from "../../lib/i18n";
import { clockOffsetMinutes } from "../../lib/usage/usage-range";

/** Days of the page's usage. */
export const SHOWN_DAYS = 30;
/** The latest requests that the page lists. */
const SHOWN_REQUESTS = 50;

/** A pasted key, and the number of the visit: the key itself is in no address, no name of a query and no storage. */
export interface Visit {
  readonly number: number;
  readonly key: string;
}

const ask = async <Schema extends z.ZodMiniType>(
  { key }: Visit,
  path: string,
  schema: Schema,
  signal: AbortSignal,
): Promise<z.output<Schema>> => {
  const response = await fetch(`${apiBaseUrl()}/v1/${path}`, {
    signal,
    headers: { Authorization: `Bearer ${key}`, "Accept-Language": currentLanguage() },
    // The session of an account that is signed in here has nothing to do with the key.
    credentials: "omit",
    cache: "no-store",
    referrerPolicy: "no-referrer",
  });
  const answer = tryParseJson(await response.text());
  if (!response.ok) throw new HttpError(response.status, explain(answer));
  const parsed = schema.safeParse(answer);
  if (!parsed.success) throw new UnreadableError("the answer has other data");
  return parsed.data;
};

/** @param name of the query, which must not hold the key. */
const query = <Data>(
  visit: Visit,
  name: readonly (string | number)[],
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>,
) => ({
  queryKey: ["key-page", visit.number, ...name],
  queryFn,
  // Forgotten with the page.
  gcTime: 0,
  meta: { silent: true },
});

export const keyUsageQuery = (visit: Visit) =>
  query(visit, ["usage"], ({ signal }) => ask(visit, "usage", keyUsageSchema, signal));

export const keyDaysQuery = (visit: Visit) =>
  query(visit, ["days"], async ({ signal }) => {
    const path = `usage/days?days=${SHOWN_DAYS}&offset_minutes=${clockOffsetMinutes()}`;
    return (await ask(visit, path, keyDaysSchema, signal)).data;
  });

export const keyRequestsQuery = (visit: Visit) =>
  query(visit, ["requests"], async ({ signal }) => {
    const path = `generations?limit=${SHOWN_REQUESTS}`;
    return (await ask(visit, path, generationListSchema, signal)).data;
  });

const oneSchema = z.object({ data: generationDetailSchema });

export const keyRequestQuery = (visit: Visit, id: string) =>
  query(visit, ["request", id], async ({ signal }) => {
    const path = `generation?id=${encodeURIComponent(id)}`;
    return (await ask(visit, path, oneSchema, signal)).data;
  });

const modelsSchema = z.object({ data: z.array(z.object({ id: z.string() })) });

export const keyModelsQuery = (visit: Visit) =>
  query(visit, ["models"], async ({ signal }) =>
    (await ask(visit, "models", modelsSchema, signal)).data.map(({ id }) => id).sort(),
  );
