import type { BudgetWindow, HourBudget } from "@tollgate/contract/records/budget-window";
import { type Kysely, type SqlBool, sql } from "kysely";
import type { BudgetWindowChanges, BudgetWindowQueries } from "../site-ports";
import type { Row, Tables } from "./tables";

const HOUR_SECONDS = 3600;

const endOf = sql<number>`budget_windows.started + budget_windows.hours * ${sql.lit(HOUR_SECONDS)}`;

const SCOPES: readonly HourBudget["scope"][] = ["key", "user", "group"];

const toWindow = ({ scope, ...row }: Row<"budget_windows">): BudgetWindow => ({
  ...row,
  scope: SCOPES.find((each) => each === scope) ?? "group",
});

export const budgetWindowReads = (db: Kysely<Tables>): BudgetWindowQueries => ({
  async open(now) {
    const rows = await db.selectFrom("budget_windows").selectAll().where(endOf, ">", now).execute();
    return rows.map(toWindow);
  },

  async find(budgets) {
    // PostgreSQL takes values of a list for texts.
    const wanted = budgets.map(
      ({ scope, subject, hours }) => sql`(${scope}, ${subject}, CAST(${hours} AS INTEGER))`,
    );
    const rows = await db
      .selectFrom("budget_windows")
      .selectAll()
      .where(sql<SqlBool>`(scope, subject, hours) IN (VALUES ${sql.join(wanted)})`)
      .execute();
    return rows.map(toWindow);
  },
});

export const budgetWindowWrites = (db: Kysely<Tables>): BudgetWindowChanges => ({
  async open({ scope, subject, hours, started }) {
    const row = await db
      .insertInto("budget_windows")
      .values({ scope, subject, hours, started })
      .onConflict((conflict) =>
        conflict
          .columns(["scope", "subject", "hours"])
          // A row is returned only if it is written: one that stays is written as it is.
          .doUpdateSet({
            started: sql<number>`CASE WHEN ${endOf} <= excluded.started THEN excluded.started ELSE budget_windows.started END`,
          }),
      )
      .returningAll()
      .executeTakeFirstOrThrow();
    return toWindow(row);
  },

  async removeEnded(before) {
    await db.deleteFrom("budget_windows").where(endOf, "<", before).execute();
  },
});
