import type { Endpoint, Guard } from "@tollgate/contract/resource/endpoint";
import i18next from "i18next";
import { callEndpoint } from "./call-endpoint";
import { notify } from "./notify";
import { useMutation } from "./use-mutation";

/** The maximum number of rows that are selected at once. */
const MAX_CHOSEN = 5000;

export type SearchEndpoint = Endpoint<
  string,
  Guard,
  "keyword" | "limit" | "sort",
  undefined,
  undefined,
  { id: number }[]
>;

/**
 * Selects all rows that match a list's search and filters, also those that are not shown.
 * @param search finds them; without a keyword all.
 */
export const useChooseAll = (search: SearchEndpoint, onChosen: (ids: readonly number[]) => void) =>
  useMutation({
    mutationFn: async (query: Readonly<Record<string, string | number | undefined>>) => {
      const call = { query: { ...query, limit: MAX_CHOSEN, sort: "id" } };
      return callEndpoint<SearchEndpoint>(search, call);
    },
    onSuccess: (rows) => {
      onChosen(rows.map(({ id }) => id));
      if (rows.length >= MAX_CHOSEN) notify.warning(i18next.t("batch.chosenSome", { count: rows.length }));
    },
  });
