import {
  PERMISSION_AREAS,
  type Permission,
  type PermissionArea,
  permits,
} from "@tollgate/contract/management/permission-areas";
import { useTranslation } from "react-i18next";
import { Segmented } from "./segmented";

type Right = "none" | "read" | "change";

const rightOf = (rights: ReadonlySet<string>, area: PermissionArea): Right => {
  if (permits(rights, area, "change")) return "change";
  return permits(rights, area, "read") ? "read" : "none";
};

interface PermissionTableProps {
  label: string;
  /** Rights such as "users:read". */
  value: readonly string[];
  /** Absent where the rights are only shown. */
  onChange?: (rights: Permission[]) => void;
  /** The areas that can be chosen; all by default. */
  areas?: readonly PermissionArea[];
}

/** The rights of a set or of a key: for each area none, to read it, or to change it too. */
export const PermissionTable = ({
  label,
  value,
  onChange,
  areas = PERMISSION_AREAS,
}: PermissionTableProps) => {
  const { t } = useTranslation();
  const rights = new Set(value);
  const choose = (chosen: PermissionArea, right: Right): void =>
    onChange?.(
      areas.flatMap((area): Permission[] => {
        const next = area === chosen ? right : rightOf(rights, area);
        return next === "none" ? [] : [`${area}:${next}`];
      }),
    );
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border border-line">
      {areas.map((area) => (
        <li key={area} className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-3 py-2.5">
          <div className="min-w-0 flex-1 basis-56">
            <div className="font-medium text-sm">{t(`permission.areas.${area}`)}</div>
            <div className="text-sm text-ink-2">{t(`permission.areaTexts.${area}`)}</div>
          </div>
          {onChange ? (
            <Segmented
              label={t(`permission.areas.${area}`)}
              value={rightOf(rights, area)}
              segments={(["none", "read", "change"] as const).map((right) => ({
                value: right,
                label: t(`permission.rights.${right}`),
              }))}
              onChange={(right) => choose(area, right)}
            />
          ) : (
            <span className="text-sm text-ink-2">{t(`permission.rights.${rightOf(rights, area)}`)}</span>
          )}
        </li>
      ))}
    </ul>
  );
};
