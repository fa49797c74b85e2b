/** Which program made the database: the numbers of channel types mean different companies in one-api and new-api. */
export type Series = "one-api-0.5" | "one-api-0.6" | "new-api";

export interface Origin {
  series: Series;
  /** The source's own version (new-api's table `setups`); undefined when missing. */
  version: string | undefined;
}
