import type { Migrations } from "../../../postgres/migrate";
import { initial } from "./0001-initial";

/** Those of the stored bodies, in order; a released one is never edited. */
export const BODIES_MIGRATIONS: Migrations = { "0001-initial": initial };
