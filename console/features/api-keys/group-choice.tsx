import { useQuery } from "@tanstack/react-query";
import type { UsableGroup } from "@tollgate/contract/api/groups";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { useTranslation } from "react-i18next";
import { ChoicesField } from "../../components/choices-field";
import { SelectField } from "../../components/select-field";
import { usableGroupsQuery } from "../../lib/usable-groups-query";

interface GroupChoiceProps {
  /** Shown also where there is nothing to choose from. */
  isAlways?: boolean;
  group: string;
  autoGroups: string[];
  errorOf: (name: "group" | "autoGroups") => string | undefined;
  onGroup: (group: string) => void;
  onAutoGroups: (groups: string[]) => void;
}

/** The group of a key: shown if there is a choice, or one was made. */
export const GroupChoice = ({
  isAlways = false,
  group,
  autoGroups,
  errorOf,
  onGroup,
  onAutoGroups,
}: GroupChoiceProps) => {
  const { t } = useTranslation();
  const { data } = useQuery(usableGroupsQuery);
  const groups = data?.groups ?? [];
  if (!isAlways && groups.length < 2 && group === "") return null;
  const own = groups.filter(({ is_own }) => is_own).map(({ name }) => name);
  const label = ({ name, description, ratio }: UsableGroup): string =>
    [name, t("keyGroup.ratio", { ratio }), description].filter(Boolean).join(" · ");
  const isGone = group !== "" && group !== AUTO_GROUP && !groups.some(({ name }) => name === group);
  return (
    <>
      <SelectField
        label={t("keyGroup.label")}
        error={errorOf("group")}
        hint={group === AUTO_GROUP ? t("keyGroup.autoText") : t("keyGroup.hint")}
        value={group}
        onChange={onGroup}
        options={[
          {
            options: [
              { value: "", label: [t("keyGroup.own"), own.join(", ")].filter(Boolean).join(" · ") },
              { value: AUTO_GROUP, label: t("keyGroup.auto") },
            ],
          },
          {
            label: t("keyGroup.label"),
            options: [
              ...groups.map((each) => ({ value: each.name, label: label(each) })),
              ...(isGone ? [{ value: group, label: `${group} · ${t("keyGroup.gone")}` }] : []),
            ],
          },
        ]}
      />
      {group === AUTO_GROUP && (
        <ChoicesField
          label={t("keyGroup.autoList")}
          error={errorOf("autoGroups")}
          hint={t("keyGroup.autoListHint", { groups: (data?.auto ?? []).join(" → ") })}
          value={autoGroups}
          options={groups.map(({ name }) => name)}
          onChange={onAutoGroups}
        />
      )}
    </>
  );
};
