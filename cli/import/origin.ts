/** Which program made the database: the numbers of channel types mean different companies in one-api and new-api. */
export type Series = "one-api-0.5" | "one-api-0.6" | "new-api";

export interface Origin {
  series: Series;
  /** What the source calls itself (new-api's table `setups`); undefined where it does not say. */
  version: string | undefined;
}
