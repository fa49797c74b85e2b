import { useTranslation } from "react-i18next";
import { Select } from "./select";

interface CardSortProps {
  columns: { id: string; label: string; sortBy?: unknown }[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
}

/** Cards have no header row to click: their order is chosen from a list. */
const CardSort = ({ columns, sort, onSort }: CardSortProps) => {
  const { t } = useTranslation();
  const sortable = columns.filter((column) => column.sortBy);
  if (sortable.length === 0) return null;
  const options = [
    { value: "", label: t("table.unsorted") },
    ...sortable.flatMap((column) => [
      { value: column.id, label: `${column.label} ↑` },
      { value: `-${column.id}`, label: `${column.label} ↓` },
    ]),
  ];
  return (
    <div className="border-line border-b px-4 py-2">
      <Select
        label={t("table.sort")}
        value={sort ?? ""}
        groups={[{ options }]}
        onChange={(next) => onSort(next === "" ? undefined : next)}
      />
    </div>
  );
};

export default CardSort;
