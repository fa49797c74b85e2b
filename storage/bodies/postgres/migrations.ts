import { toMigrations } from "../../postgres/migrate";
import { BODIES_SCHEMA } from "../sql/bodies-schema";

export const BODIES_MIGRATIONS = toMigrations({ "0001-initial": [BODIES_SCHEMA] });
