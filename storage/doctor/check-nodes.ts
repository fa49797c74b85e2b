import { IS_REQUEST } from "../log/sql/no-request";
import { REFUNDED } from "../outbox/log-content";
import { decodeEntries } from "../outbox/log-entry";
import { checkReference } from "./check-records";
import type { DataReader } from "./data-reader";
import type { ExaminedData } from "./examined-data";
import { type FoundFaults, MAX_SHOWN } from "./found-faults";

/* Checks of data that exists only where several nodes share a database. */

/** How long a node may be silent beside others, which release its leases as soon as its time is over. */
const PATIENCE_SECONDS = 60;

const LEASES = [
  { table: "user_leases", owner: "user_id", parent: "users", record: "user" },
  { table: "token_leases", owner: "token_id", parent: "tokens", record: "key" },
] as const;

/** Every lease is one of an account and of a node, and no node that is over keeps any from the others. */
const checkLeases = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  for (const { table, owner, parent, record } of LEASES) {
    const rows = await data.main.all<{ id: number; epoch: number; leased: number }>(
      `SELECT ${owner} AS id, epoch, quota AS leased FROM ${table} WHERE quota < 0 LIMIT ${MAX_SHOWN}`,
    );
    for (const row of rows) found.add({ code: "lease-below-zero", record, ...row });
    await checkReference(data, found, table, owner, parent);
    await checkReference(data, found, table, "epoch", "nodes", "epoch");
  }
  // Where no node lives, the next to start releases the leases of the last one.
  const silent = await data.main.all<{ epoch: number; seconds: number }>(
    `SELECT epoch, floor(extract(epoch FROM now() - expires_at))::bigint AS seconds FROM nodes
     WHERE expires_at < now() - interval '${PATIENCE_SECONDS} seconds'
       AND EXISTS (SELECT 1 FROM nodes AS others WHERE others.expires_at > now() - interval '1 second')
     ORDER BY epoch LIMIT ${MAX_SHOWN}`,
  );
  for (const node of silent) found.add({ code: "node-not-ended", ...node });
};

interface UnlikeCharge {
  request: string;
  charged: number;
  logged: number;
}

/** Adds entries still on their way to the log. */
const addWaiting = async (main: DataReader, unlike: ReadonlyMap<string, UnlikeCharge>): Promise<void> => {
  for await (const page of main.pages<{ batch: string }>("SELECT batch FROM outbox"))
    for (const { batch } of page)
      try {
        decodeEntries(
          batch,
          ({ requestId, quota, content }) => {
            const charge = content === REFUNDED ? undefined : unlike.get(requestId);
            if (charge) charge.logged += quota;
          },
          () => {},
        );
      } catch {
        // Said of the row itself.
      }
};

/** The charge of a request equals its lines; those of a reversed one add up to nothing. */
const checkCharges = async ({ main, log }: ExaminedData, found: FoundFaults): Promise<void> => {
  const unlike = new Map<string, UnlikeCharge>();
  const rows = log.pages<UnlikeCharge>(
    `SELECT charges.request_id AS request, sum(logs.quota) AS logged,
       CASE WHEN charges.is_refunded = 1 THEN 0 ELSE charges.charged END AS charged
     FROM charges JOIN receipts ON receipts.request_id = charges.request_id
       JOIN logs ON logs.id = receipts.log_id AND logs.created_at = receipts.created_at AND ${IS_REQUEST}
     GROUP BY charges.request_id
     HAVING sum(logs.quota) <> CASE WHEN charges.is_refunded = 1 THEN 0 ELSE charges.charged END`,
  );
  for await (const page of rows) for (const charge of page) unlike.set(charge.request, charge);
  if (unlike.size > 0) await addWaiting(main, unlike);
  for (const charge of unlike.values())
    if (charge.charged !== charge.logged) found.add({ code: "charge-unlike-log", ...charge });
};

/** Sequences that number the rows of a table. */
const SEQUENCES: readonly [table: string, sequence: string][] = [
  ...[
    "users",
    "tokens",
    "channels",
    "redemptions",
    "audit",
    "ledger_entries",
    "plans",
    "subscriptions",
    "orders",
    "order_refunds",
    "commissions",
    "payouts",
    "redemption_uses",
    "outbox",
    "payers",
    "models",
    "contents",
  ].map((table): [string, string] => [table, `${table}_id_seq`]),
  ["bodies", "bodies_id_seq"],
  ["logs", "log_ids"],
  ["receipts", "receipt_ids"],
];

/** No id is given twice. Sequences are read as they are now, and never fall. */
const checkSequences = async ({ main }: ExaminedData, found: FoundFaults): Promise<void> => {
  for (const [table, sequence] of SEQUENCES) {
    const [ids] = await main.all<{ highest: number; next: number }>(
      `SELECT (SELECT coalesce(max(id), 0) FROM ${table}) AS highest,
         last_value + CASE WHEN is_called THEN 1 ELSE 0 END AS next FROM ${sequence}`,
    );
    if (ids && ids.highest >= ids.next) found.add({ code: "sequence-behind", table, ...ids });
  }
};

export const checkNodes = async (data: ExaminedData, found: FoundFaults): Promise<void> => {
  await checkLeases(data, found);
  await checkCharges(data, found);
  await checkSequences(data, found);
};
