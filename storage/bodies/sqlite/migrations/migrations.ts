import type { Migrations } from "../../../sqlite/migrate";
import { initial } from "./0001-initial";

/** Those of the file of stored bodies, in order; a released one is never edited. */
export const BODIES_MIGRATIONS: Migrations = { "0001-initial": initial };
