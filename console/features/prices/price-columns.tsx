import type { PriceRow, PriceState } from "@tollgate/contract/management/price-sync";
import { Lock, LockOpen } from "lucide-react";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import type { Column } from "../../components/data-table";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { formatCount } from "../../lib/format";
import { PriceDifferences } from "./price-differences";
import { largestChange } from "./price-text";

const TONES: Readonly<Record<PriceState, Tone>> = {
  new: "green",
  changed: "yellow",
  same: "grey",
  gone: "grey",
  refused: "red",
};

/** Whether there is a price to accept. */
export const isAcceptable = ({ price, is_locked }: PriceRow): boolean => price !== undefined && !is_locked;

interface Actions {
  chosen: ReadonlySet<string>;
  isBusy: boolean;
  onChoose: (model: string, isChosen: boolean) => void;
  onAccept: (row: PriceRow) => void;
  onLock: (row: PriceRow) => void;
}

/** The context and the maximum output, if a list contains them. */
const useLimits = () => {
  const { t } = useTranslation();
  return ({ context, output_limit }: PriceRow): string =>
    [
      context === undefined ? "" : t("price.context", { tokens: formatCount(context) }),
      output_limit === undefined ? "" : t("price.outputLimit", { tokens: formatCount(output_limit) }),
    ]
      .filter(Boolean)
      .join(" · ");
};

/** The columns of a comparison. */
export const usePriceColumns = ({
  chosen,
  isBusy,
  onChoose,
  onAccept,
  onLock,
}: Actions): Column<PriceRow>[] => {
  const { t } = useTranslation();
  const limitsOf = useLimits();
  return [
    {
      id: "chosen",
      label: t("price.chosen"),
      cell: (row) =>
        isAcceptable(row) && (
          <input
            type="checkbox"
            aria-label={t("price.choose", { model: row.model })}
            checked={chosen.has(row.model)}
            onChange={(event) => onChoose(row.model, event.target.checked)}
            className="block size-4 accent-accent"
          />
        ),
      card: "side",
      className: "w-px",
    },
    {
      id: "model",
      label: t("price.model"),
      cell: (row) => (
        <span className="break-all">
          <span className="font-medium">{row.model}</span>
          {limitsOf(row) && <span className="block text-xs text-ink-3">{limitsOf(row)}</span>}
        </span>
      ),
      sortBy: ({ model }) => model,
      card: "head",
      className: "wide:min-w-40 wide:max-w-80",
    },
    {
      id: "state",
      label: t("field.status"),
      cell: ({ state, fault, is_locked }) => (
        <span className="flex flex-col gap-0.5">
          <StateMark tone={TONES[state]}>{t(`price.state.${state}`)}</StateMark>
          {fault && <span className="max-w-56 text-xs text-ink-2">{t(`price.fault.${fault}`)}</span>}
          {is_locked && <span className="text-xs text-ink-2">{t("price.locked")}</span>}
        </span>
      ),
      sortBy: ({ state }) => state,
    },
    {
      id: "differences",
      label: t("price.differences"),
      cell: ({ differences }) => <PriceDifferences differences={differences} />,
      sortBy: ({ differences }) => largestChange(differences),
      className: "wide:min-w-64",
    },
    {
      id: "seller",
      label: t("price.seller"),
      cell: ({ seller }) => seller || <span className="text-ink-3">{t("value.none")}</span>,
      sortBy: ({ seller }) => seller,
    },
    useActionsColumn((row) => (
      <RowActions
        of={row.model}
        actions={[
          ...(isAcceptable(row) ? [{ label: t("price.accept"), isBusy, onSelect: () => onAccept(row) }] : []),
          {
            label: row.is_locked ? t("price.unlock") : t("price.lock"),
            icon: row.is_locked ? (
              <LockOpen aria-hidden className="size-3.5" />
            ) : (
              <Lock aria-hidden className="size-3.5" />
            ),
            isBusy,
            onSelect: () => onLock(row),
          },
        ]}
      />
    )),
  ];
};
