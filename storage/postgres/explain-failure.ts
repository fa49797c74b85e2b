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
const RIGHTS_MISSING = "42501";

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;

/** What kept a connection from coming about, as what it means to whoever runs the product. */
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
    default: {
      const reason = code ?? (error instanceof Error ? error.message : String(error));
      return new DatabaseRefused({ code: "database-unreachable", host, reason }, options);
    }
  }
};
