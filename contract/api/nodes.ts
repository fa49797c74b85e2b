import * as z from "zod/mini";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";

/*
 * The nodes of an installation: GET /api/node for root. Not part of the one-api contract; another server answers the
 * call with 404. A missing field is not 0: an older or a newer version may report other fields.
 */

/** A node's report of itself; stored as JSON with its renewals. */
export const nodeReportSchema = z.object({
  name: z.optional(z.string()),
  /** Where it listens: host and port. */
  address: z.optional(z.string()),
  /** Of the program. */
  version: z.optional(z.string()),
  /** Unix seconds, by its own clock. */
  started_at: z.optional(z.int()),
  /** It is stopping: it finishes running requests, and takes no new ones. */
  is_leaving: z.optional(z.boolean()),
  /** Requests for models that began in the last `recent_ms` milliseconds: ten seconds, or less when it just started. */
  recent_requests: z.optional(z.int()),
  recent_ms: z.optional(z.int()),
  /** Requests for models that are under way. */
  active_requests: z.optional(z.int()),
  /** The longest that anything waited for its turn of the event loop in that time, milliseconds. */
  event_loop_delay_ms: z.optional(z.int()),
  /** Memory of the process, bytes. */
  memory_bytes: z.optional(z.int()),
  /**
   * How long the newest change took from its commit until it held here, milliseconds, or how long nothing was heard of changes;
   * absent before there was one.
   */
  feed_lag_ms: z.optional(z.int()),
  /** Open connections to the database; absent where it has none, as with SQLite. */
  database_connections: z.optional(z.int()),
  /** How many questions wait for one of them. */
  database_waiting: z.optional(z.int()),
  /** Open connections to Redis; absent where no Redis is named. */
  redis_connections: z.optional(z.int()),
});
export type NodeReport = z.infer<typeof nodeReportSchema>;

/**
 * State of a node: it takes requests, it was silent for so long that it takes none, or it finishes its running ones.
 */
export const NODE_STATES = ["live", "silent", "leaving"] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** A node as others see it. */
export const nodeSchema = z.extend(nodeReportSchema, {
  /** The epoch of its time with the database: greater than those of all that joined before. Absent where it has none. */
  id: z.optional(z.int()),
  state: z.enum(NODE_STATES),
  /** Whether it is the one that answers. */
  is_this: z.boolean(),
  /**
   * When it was last heard of: unix seconds, and milliseconds before the answer, both by the database's clock. Absent where the
   * database knows nothing of it.
   */
  heard_at: z.optional(z.int()),
  silent_ms: z.optional(z.int()),
  /** Of how many users and keys it leases quota; absent where nothing is leased. */
  leased_users: z.optional(z.int()),
  leased_keys: z.optional(z.int()),
  /** Quota that it leases of users' balances. */
  leased_quota: z.optional(z.int()),
});
export type Node = z.infer<typeof nodeSchema>;

/** The fields that are of their type; the others are as if they had not been told. */
const knownFields = (shape: Readonly<Record<string, z.ZodMiniType>>, value: unknown) => {
  const told: Readonly<Record<string, unknown>> = Object(value);
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, schema]) => {
      const parsed = schema.safeParse(told[name]);
      return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
    }),
  );
};

/** Reads a node's report, of any version. */
export const readNodeReport = (value: unknown): NodeReport =>
  nodeReportSchema.parse(knownFields(nodeReportSchema.shape, value));

/** @returns undefined for an invalid node. */
export const readNode = (value: unknown): Node | undefined => {
  const parsed = nodeSchema.safeParse(knownFields(nodeSchema.shape, value));
  return parsed.success ? parsed.data : undefined;
};

/** All nodes, in the order in which they joined. */
export const listNodes = endpoint({
  method: "GET",
  path: "/api/node",
  guard: "root",
  summary: "The nodes that share the database, with their own reports; with SQLite the only one",
  data: listOf(plain(nodeSchema, readNode)),
  reads: "nodes",
});
