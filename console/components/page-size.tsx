import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { useTranslation } from "react-i18next";
import { PAGE_SIZES } from "../lib/list-search";

interface PageSizeProps {
  size: number | undefined;
  onSize: (size: number) => void;
}

/** Chooses the rows per page. */
export const PageSize = ({ size = PAGE_SIZE, onSize }: PageSizeProps) => {
  const { t } = useTranslation();
  return (
    <select
      aria-label={t("table.size")}
      value={size}
      onChange={(event) => onSize(Number(event.target.value))}
      className="h-control-small cursor-pointer rounded-md border border-transparent bg-transparent px-1 text-sm text-ink-2 hover:bg-hover hover:text-ink"
    >
      {PAGE_SIZES.map((each) => (
        <option key={each} value={each} className="bg-surface text-ink">
          {t("table.rows", { count: each })}
        </option>
      ))}
    </select>
  );
};
