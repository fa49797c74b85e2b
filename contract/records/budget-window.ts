/** A budget whose windows last some hours. */
export interface HourBudget {
  readonly scope: "key" | "user" | "group";
  /** The number of the key or the user, or the name of the group. */
  readonly subject: string;
  readonly hours: number;
}

/** Its last window. */
export interface BudgetWindow extends HourBudget {
  /** Start of an hour, unix seconds. */
  readonly started: number;
}
