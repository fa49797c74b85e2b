import type { Translation, TranslationRow, UntranslatedReason } from "@tollgate/contract/api/translations";
import {
  type FieldChange,
  findChanges,
  patternOf,
  writePath,
  writeValue,
} from "@tollgate/contract/values/field-changes";
import { isObject } from "@tollgate/contract/values/is-object";
import { readEffortName } from "@tollgate/protocols/effort-names";
import { parseJson } from "@tollgate/protocols/shared/json/safe-json";
import type { NamedEffort } from "@tollgate/relay/admission/resolve-model";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import type { SentChat } from "@tollgate/relay/remake-call";
import type { StoredBody } from "@tollgate/storage/bodies/stored-body";
import type { StoredReceipt } from "@tollgate/storage/log/ports";
import type { ReceiptDetail } from "@tollgate/storage/log/receipt-detail";
import { ADDRESSES } from "../../relay-api/address-book";

/** Rows of an answer. */
const MAX_ROWS = 300;

/** What a translation needs of its surroundings. */
export interface TranslationTools {
  keysOf(channelId: number): readonly UpstreamTarget[];
  remake(target: UpstreamTarget, chat: SentChat): Promise<string | undefined>;
}

/** The effort that the client's name of the model asked for, if it did. */
const effortOf = ({ alias = "", attempts }: ReceiptDetail): NamedEffort | undefined => {
  const hasEffort = attempts.some(({ overrides }) => overrides?.some((name) => name.startsWith("effort:")));
  const found = hasEffort ? readEffortName(alias) : undefined;
  return found && { name: alias, reasoning: found.reasoning };
};

/** The stored request as its client sent it, or the reason why it cannot be had. */
const sentChatOf = (
  { path, request }: StoredBody,
  { detail }: StoredReceipt,
): SentChat | UntranslatedReason => {
  if (request.bytes === undefined) return "no-chat";
  if (request.bytes.byteLength < request.sizeBytes) return "cut";
  if (path === undefined) return "no-address";
  const [address = "", query = ""] = path.split("?", 2);
  const { found } = ADDRESSES.resolve("POST", address, query);
  if (found?.asked.kind !== "chat") return "no-chat";
  const rawBody = Buffer.from(request.bytes);
  const body = parseJson(rawBody.toString("utf8"));
  if (!isObject(body)) return "no-chat";
  return {
    client: found.api.protocol,
    address: found.asked.address,
    rawBody,
    body,
    model: detail.attempts.at(-1)?.fallbackModel ?? detail.requestedModel,
    effort: effortOf(detail),
  };
};

const fromOf = (change: FieldChange): FieldChange["path"] | undefined => {
  if (change.kind === "moved") return change.from;
  return change.kind === "added" ? undefined : change.path;
};

/** Changes at the same place of a list's items are one row, with the values of the first. */
const rowsOf = (changes: readonly FieldChange[]): TranslationRow[] => {
  const rows = new Map<string, TranslationRow>();
  for (const change of changes) {
    const from = fromOf(change);
    const to = change.kind === "removed" ? undefined : change.path;
    const pattern = `${change.kind} ${from ? patternOf(from) : ""} ${to ? patternOf(to) : ""}`;
    const known = rows.get(pattern);
    if (known) known.count += 1;
    else
      rows.set(pattern, {
        kind: change.kind,
        ...(from ? { from: writePath(from) } : {}),
        ...(to ? { to: writePath(to) } : {}),
        ...("before" in change ? { before: writeValue(change.before) } : {}),
        ...("after" in change ? { after: writeValue(change.after) } : {}),
        count: 1,
      });
  }
  return [...rows.values()];
};

/** What became of the client's own fields: neither what the site adds nor what the upstream calls them. */
const forOwner = (rows: readonly TranslationRow[]): TranslationRow[] =>
  rows
    .filter(({ kind }) => kind !== "added")
    .map(({ kind, from, before, count }) => ({
      kind,
      ...(from === undefined ? {} : { from }),
      ...(before === undefined ? {} : { before }),
      count,
    }));

/**
 * What the translation changed in a stored request, made again with today's settings.
 * @param isForOwner the owner learns nothing of the operator's additions or of the upstream's API.
 */
export const translationOf = async (
  { keysOf, remake }: TranslationTools,
  stored: StoredBody,
  receipt: StoredReceipt,
  isForOwner: boolean,
): Promise<Translation> => {
  const { requestId } = stored;
  const nothing = (reason: UntranslatedReason): Translation => ({
    request_id: requestId,
    reason,
    rows: [],
    row_count: 0,
  });
  const chat = sentChatOf(stored, receipt);
  if (typeof chat === "string") return nothing(chat);
  const asked = receipt.detail.attempts.at(-1);
  const [target] = asked ? keysOf(asked.channelId) : [];
  if (!target) return nothing("no-channel");
  // The engine may change what it is given.
  const made = await remake(target, { ...chat, body: structuredClone(chat.body) });
  if (made === undefined) return nothing("refused");
  const changes = findChanges(chat.body, parseJson(target.conceal(made)));
  if (!changes) return nothing("too-large");
  const rows = isForOwner ? forOwner(rowsOf(changes)) : rowsOf(changes);
  return { request_id: requestId, rows: rows.slice(0, MAX_ROWS), row_count: rows.length };
};
