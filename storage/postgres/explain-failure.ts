import { DatabaseRefused } from "../errors";

/** Where a connection goes, without the password. */
export interface Destination {
  host: string;
  user: string;
  database: string;
}

/** PostgreSQL's own codes (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const PASSWORD_WRONG = "28P01";
const SIGN_IN_REFUSED = "28000";
const DATABASE_MISSING = "3D000";
/** Since PostgreSQL 15 not every user may make tables; and those that there are may be another one's. */
const RIGHTS_MISSING = "42501";
const CONNECTIONS_USED_UP = "53300";
/** A statement waited too long for another transaction's lock. */
export const LOCK_KEPT = "55P03";

/** The driver's message when no connection became free in time. */
const NONE_FREE = /^timeout exceeded when/;
/** The driver's message when a password is required and missing. */
const PASSWORD_ASKED_FOR = /^SASL: /;

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** Translates a failed connection into its meaning for the operator. */
export const explainFailure = (error: unknown, { host, user, database }: Destination): DatabaseRefused => {
  const options = { cause: error };
  const code = codeOf(error);
  switch (code) {
    case PASSWORD_WRONG:
    case SIGN_IN_REFUSED:
      return new DatabaseRefused({ code: "database-sign-in-refused", host, user }, options);
    case DATABASE_MISSING:
      return new DatabaseRefused({ code: "database-missing", host, database }, options);
    case RIGHTS_MISSING:
      return new DatabaseRefused({ code: "database-rights-missing", database, user }, options);
    case CONNECTIONS_USED_UP:
      return new DatabaseRefused({ code: "database-full", host }, options);
    default: {
      const reason = code ?? (error instanceof Error ? error.message : String(error));
      if (NONE_FREE.test(reason)) return new DatabaseRefused({ code: "database-busy", host }, options);
      if (PASSWORD_ASKED_FOR.test(reason))
        return new DatabaseRefused({ code: "database-sign-in-refused", host, user }, options);
      return new DatabaseRefused({ code: "database-unreachable", host, reason }, options);
    }
  }
};

/** Translates missing rights while a database was opened into their meaning; returns other errors as they are. */
export const explainRights = (error: unknown, destination: Destination): unknown =>
  codeOf(error) === RIGHTS_MISSING ? explainFailure(error, destination) : error;
