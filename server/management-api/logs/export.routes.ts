import { finished, Readable } from "node:stream";
import { exportAudit } from "@tollgate/contract/api/audit";
import { CHANNEL_FILTERS, exportChannels } from "@tollgate/contract/api/channels";
import { exportInvoices } from "@tollgate/contract/api/invoices";
import type { LedgerFilter } from "@tollgate/contract/api/ledger";
import { exportLedger, exportOwnLedger } from "@tollgate/contract/api/ledger";
import type { LogFilter, StoredLog } from "@tollgate/contract/api/logs";
import { exportLogs, exportOwnLogs, exportOwnUsage, exportUsage } from "@tollgate/contract/api/logs";
import { exportOrders } from "@tollgate/contract/api/orders";
import { exportRehearsal } from "@tollgate/contract/api/price-drafts";
import { exportProfit } from "@tollgate/contract/api/profit";
import { exportPromotions, PROMOTION_FILTERS } from "@tollgate/contract/api/promotions";
import { exportReconciliation } from "@tollgate/contract/api/reconciliations";
import { exportRedemptions, REDEMPTION_FILTERS } from "@tollgate/contract/api/redemptions";
import { exportOwnStatement, exportStatement } from "@tollgate/contract/api/statements";
import { USAGE_GROUPINGS, type UsageGrouping } from "@tollgate/contract/api/usage";
import { exportUsers, USER_FILTERS } from "@tollgate/contract/api/users";
import type { RehearsalSum } from "@tollgate/contract/management/price-draft";
import { readCurrency } from "@tollgate/contract/values/shown-amount";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { findCard } from "@tollgate/vendors/slim/find-card";
import { traceError } from "../../locales/format-data-fault";
import { formatLogContent } from "../../locales/format-log";
import { LANGUAGES, languageOf } from "../../locales/languages";
import { withoutProfit } from "../../rehearsal/without-profit";
import { formatFailure } from "../../relay-api/format-failure";
import { currencyOf } from "../../state/display-currency";
import { splitDocuments } from "../channels/split-keys";
import { Failure } from "../failure";
import { readInvoiceFilter } from "../money/invoice.routes";
import { readLedgerFilter, readOwnLedgerFilter } from "../money/ledger-filter";
import { readOrderFilter } from "../money/order.routes";
import { ownLedgerEntry } from "../money/own-ledger-entry";
import { readProfitQuery } from "../money/profit.routes";
import { readMonthClock, readStatementUser, statementOf } from "../money/statement.routes";
import { readChoice } from "../read-choice";
import { FileAnswer, implement, type Route, type RouteContext, readFilter, readInteger } from "../route";
import type { Services } from "../services";
import { sharedBy } from "../shared-by";
import { readAuditFilter, toAuditEntry } from "../site/audit.routes";
import {
  auditColumns,
  channelColumns,
  codeColumns,
  invoiceColumns,
  ledgerColumns,
  logColumns,
  orderColumns,
  profitColumns,
  promotionColumns,
  reconciledColumns,
  rehearsalColumns,
  statementColumns,
  statementLines,
  usageColumns,
  userColumns,
} from "./exports/columns";
import { ExportSlots } from "./exports/export-slots";
import { FILE_FORMATS, FILE_TYPES, type FileColumn } from "./exports/file-format";
import { fileStream, pagesDown, ROWS_A_PAGE } from "./exports/file-stream";
import { isoTimes } from "./exports/iso-time";
import { pagesOfRows, profitPages } from "./exports/profit-pages";
import { usagePages } from "./exports/usage-pages";
import { readAdminFilter, readOwnFilter } from "./log-filter";
import { readOffsetMinutes, readUsageQuery } from "./usage-query";

/** More customers than one gateway has. */
const MAX_FILE_ROWS = 1_000_000;

/** When to try again where as many files are being made as may be. */
const RETRY_SECONDS = 10;

type Query = Record<string, string>;

const readKeyword = (query: Query): string | undefined => {
  const keyword = (query.keyword ?? "").trim();
  return keyword === "" ? undefined : keyword;
};

const vendorName = (type: number): string => findCard(type)?.name ?? "";

const pagesOnce = async function* <Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
};

/** The used parts of a call's context, for callers of any role. */
type Asked = Pick<RouteContext<"user", unknown>, "caller" | "query" | "request" | "reply">;

/** An export: its file name, columns and source. */
interface Exported<Row> {
  name: string;
  columns: readonly FileColumn<Row>[];
  pages: AsyncIterable<readonly Row[]>;
}

const slots = sharedBy(() => new ExportSlots());

/** @throws Failure when as many files are being made as may be. @returns releases the slot. */
const takeSlot = (services: Services, caller: Asked["caller"], isOwn: boolean): (() => void) => {
  const release = slots(services).take(caller.id, isOwn);
  if (!release) throw new Failure("export-busy", {}, 429, RETRY_SECONDS);
  return release;
};

/** Checks, again and again while a file is made, that its caller may still have it. @returns throws a Failure if not. */
const checkOf =
  (services: Services, { id, role, status }: Asked["caller"]) =>
  (): void => {
    const user = services.accounts.users.find(id);
    if (!user || user.role < role || (user.status !== USER_ENABLED && user.status !== status))
      throw new Failure("user-disabled");
  };

const fileName = (services: Services, name: string, ending: string): string =>
  `tollgate-${name}-${new Date(services.now() * 1000).toISOString().slice(0, 10)}.${ending}`;

const answerFile = async <Row>(
  services: Services,
  { caller, query, request, reply }: Asked,
  isOwn: boolean,
  exported: (iso: (seconds: number) => string) => Exported<Row>,
): Promise<FileAnswer | undefined> => {
  const format = readChoice(FILE_FORMATS, query.format, "csv");
  const { name, columns, pages } = exported(isoTimes(readOffsetMinutes(query)));
  const release = takeSlot(services, caller, isOwn);
  if (query.check === "true") {
    release();
    return undefined;
  }
  // The slot is released when the connection closes, even before its first page was read.
  finished(reply.raw, release);
  const stream = await fileStream({
    format,
    columns,
    pages,
    check: checkOf(services, caller),
    reportError: (error) =>
      services.logger.error(
        { error: traceError(error), requestId: request.id, file: name },
        "an export broke off",
      ),
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  return new FileAnswer(stream, fileName(services, name, format), FILE_TYPES[format]);
};

const lines = async function* (services: Services, filter: LogFilter): AsyncGenerator<readonly StoredLog[]> {
  for (let last: StoredLog | undefined; ; ) {
    const page = await services.storage.read.logs.after(filter, last, ROWS_A_PAGE);
    yield page;
    last = page.at(-1);
    if (last === undefined || page.length < ROWS_A_PAGE) return;
  }
};

const log = (services: Services, context: Asked, filter: LogFilter, isOwn: boolean) => {
  const { query, request } = context;
  const language = languageOf(query.language ?? request.headers["accept-language"]);
  const nameOf = isOwn ? undefined : (id: number) => services.channels.nameOf(id);
  const shown = currencyOf(services.options);
  return answerFile(services, context, isOwn, (iso) => ({
    name: "log",
    columns: logColumns(
      iso,
      ({ content, createdAt }) => formatLogContent(language, content, shown(createdAt)),
      ({ failure, modelName }) => failure && formatFailure(language, failure, modelName),
      nameOf,
    ),
    pages: lines(services, filter),
  }));
};

const usage = (services: Services, context: Asked, filter: LogFilter, by: UsageGrouping, isOwn: boolean) => {
  const asked = readUsageQuery(filter, by, context.query);
  return answerFile(services, context, isOwn, (iso) => ({
    name: "usage",
    columns: usageColumns(iso, by),
    pages: usagePages(services.storage.read.usage, asked, services.now()),
  }));
};

const ledger = (services: Services, context: Asked, filter: LedgerFilter, isOwn: boolean) =>
  answerFile(services, context, isOwn, (iso) => ({
    name: "ledger",
    columns: ledgerColumns(iso, isOwn),
    pages: pagesDown(async (id, limit) => {
      const entries = await services.storage.read.ledger.before(filter, id, limit);
      return isOwn ? entries.map(ownLedgerEntry) : entries;
    }),
  }));

type StatementUser = { id: number; username: string };

/** A statement on paper. The slot of the export bounds how many wait for the one thread that makes them. */
const statementPdf = async (
  services: Services,
  { caller, query, request, reply }: Asked,
  user: StatementUser,
  isOwn: boolean,
): Promise<FileAnswer | undefined> => {
  const clock = readMonthClock(query);
  const language = languageOf(query.language ?? request.headers["accept-language"]);
  const release = takeSlot(services, caller, isOwn);
  try {
    const made = await statementOf(services, user, query);
    if (query.check === "true") return undefined;
    const { options, statementPrinter } = services;
    const { statement: words, ledgerCauses: causes } = LANGUAGES[language];
    const file = await statementPrinter.print({
      statement: made,
      site: options.text("SystemName"),
      ...{ language, words, causes },
      quotaPerUnit: options.isOn("DisplayInCurrencyEnabled") ? options.number("QuotaPerUnit") : undefined,
      endOffsetMinutes: clock.end,
      madeAt: services.now(),
    });
    if (file === undefined) throw new Failure("statement-not-printed", {}, 503, RETRY_SECONDS);
    checkOf(services, caller)();
    const name = fileName(services, `statement-${user.id}-${made.month}`, "pdf");
    return new FileAnswer(Readable.from([file]), name, "application/pdf");
  } finally {
    // Not before: a caller who leaves early would let others wait for the files of many such calls.
    if (query.check === "true") release();
    else finished(reply.raw, release);
  }
};

const statement = async (
  services: Services,
  context: Asked,
  user: StatementUser,
  isOwn: boolean,
): Promise<FileAnswer | undefined> => {
  const { month = "", format } = context.query;
  if (format === "pdf") return statementPdf(services, context, user, isOwn);
  const made = await statementOf(services, user, context.query);
  const { options } = services;
  const lines = statementLines(made);
  const shown = options.isOn("DisplayInCurrencyEnabled") ? readCurrency(made) : undefined;
  return answerFile(services, context, isOwn, () => ({
    name: `statement-${user.id}-${month}`,
    columns: statementColumns(lines, shown && { shown, quotaPerUnit: options.number("QuotaPerUnit") }),
    pages: pagesOnce(lines),
  }));
};

/** Lists and sums as files, with the filters of their pages; not part of the contract. */
export const exportRoutes: Route[] = [
  implement(exportLogs, (context) => log(context.services, context, readAdminFilter(context.query), false)),
  implement(exportOwnLogs, (context) =>
    log(context.services, context, readOwnFilter(context.query, context.caller.id), true),
  ),
  implement(exportUsage, (context) =>
    usage(
      context.services,
      context,
      readAdminFilter(context.query),
      readChoice(USAGE_GROUPINGS, context.query.by, "none"),
      false,
    ),
  ),
  implement(exportOwnUsage, (context) =>
    usage(
      context.services,
      context,
      readOwnFilter(context.query, context.caller.id),
      readChoice(["none", "model", "token"] as const, context.query.by, "none"),
      true,
    ),
  ),
  implement(exportLedger, (context) =>
    ledger(
      context.services,
      context,
      readLedgerFilter(context.query, context.services.accounts.users),
      false,
    ),
  ),
  implement(exportOwnLedger, (context) =>
    ledger(context.services, context, readOwnLedgerFilter(context.query, context.caller.id), true),
  ),
  implement(exportAudit, (context) => {
    const filter = readAuditFilter(context.query);
    return answerFile(context.services, context, false, (iso) => ({
      name: "audit",
      columns: auditColumns(iso),
      pages: pagesDown(async (id, limit) =>
        (await context.services.storage.read.audit.before(filter, id, limit)).map(toAuditEntry),
      ),
    }));
  }),
  implement(exportProfit, (context) => {
    const asked = readProfitQuery(context.query, MAX_FILE_ROWS);
    return answerFile(context.services, context, false, () => ({
      name: "profit",
      columns: profitColumns(asked.by),
      pages: profitPages(context.services.storage.read.profit, asked, context.services.now()),
    }));
  }),
  implement(exportRehearsal, async (context) => {
    const whole = await context.services.rehearsals.find(context.params.id);
    const found = whole && !context.permits("profit", "read") ? withoutProfit(whole) : whole;
    if (!found?.result) throw new Failure("rehearsal-missing");
    const by = readChoice(["models", "groups", "users"] as const, context.query.by, "models");
    const rows: readonly (RehearsalSum & { id?: number; name: string })[] = found.result[by];
    return answerFile(context.services, context, false, () => ({
      name: "rehearsal",
      columns: rehearsalColumns(),
      pages: pagesOnce(rows),
    }));
  }),
  implement(exportStatement, (context) =>
    statement(
      context.services,
      context,
      readStatementUser(context.services, context.query, context.caller),
      false,
    ),
  ),
  implement(exportOwnStatement, (context) => statement(context.services, context, context.caller, true)),
  implement(exportReconciliation, async (context) => {
    const format = readChoice(FILE_FORMATS, context.query.format, "csv");
    const record = await context.services.storage.read.reconciliations.find(readInteger(context.query.id));
    if (!record) throw new Failure("record-not-found");
    return answerFile(context.services, { ...context, query: { ...context.query, format } }, false, () => ({
      name: "reconciliation",
      columns: reconciledColumns(),
      pages: pagesOfRows(record.content.rows),
    }));
  }),
  implement(exportUsers, (context) => {
    const keyword = readKeyword(context.query);
    const filter = readFilter(context.query, USER_FILTERS);
    return answerFile(context.services, context, false, () => ({
      name: "users",
      columns: userColumns(),
      pages: pagesDown((id, limit) => context.services.storage.read.users.before(id, limit, keyword, filter)),
    }));
  }),
  implement(exportChannels, (context) => {
    const keyword = readKeyword(context.query);
    const filter = readFilter(context.query, CHANNEL_FILTERS);
    // Keys that are documents are stored without their blanks.
    const key = keyword === undefined ? undefined : splitDocuments(keyword)[0]?.key;
    return answerFile(context.services, context, false, (iso) => ({
      name: "channels",
      columns: channelColumns(iso, vendorName),
      pages: pagesDown((id, limit) =>
        context.services.storage.read.channels.before(id, limit, keyword, key, filter),
      ),
    }));
  }),
  implement(exportRedemptions, (context) => {
    const keyword = readKeyword(context.query);
    const filter = readFilter(context.query, REDEMPTION_FILTERS);
    return answerFile(context.services, context, false, (iso) => ({
      name: "codes",
      columns: codeColumns(iso),
      pages: pagesDown((id, limit) =>
        context.services.storage.read.redemptions.before(id, limit, keyword, filter),
      ),
    }));
  }),
  implement(exportPromotions, (context) => {
    const keyword = readKeyword(context.query);
    const filter = readFilter(context.query, PROMOTION_FILTERS);
    return answerFile(context.services, context, false, (iso) => ({
      name: "promotions",
      columns: promotionColumns(iso),
      pages: pagesDown((id, limit) =>
        context.services.storage.read.promotions.before(id, limit, keyword, filter),
      ),
    }));
  }),
  implement(exportInvoices, (context) => {
    const filter = readInvoiceFilter(context.query);
    return answerFile(context.services, context, false, (iso) => ({
      name: "invoices",
      columns: invoiceColumns(iso),
      pages: pagesDown((id, limit) => context.services.storage.read.invoices.before(filter, id, limit)),
    }));
  }),
  implement(exportOrders, (context) => {
    const filter = readOrderFilter(context.query);
    return answerFile(context.services, context, false, (iso) => ({
      name: "orders",
      columns: orderColumns(iso),
      pages: pagesDown((id, limit) => context.services.storage.read.orders.before(filter, id, limit)),
    }));
  }),
];
