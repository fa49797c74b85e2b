import { VENDOR_CARDS } from "@tollgate/vendors/slim/cards";
import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import type { VendorForm } from "@tollgate/vendors/slim/vendor-card";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "../../components/field";
import { Select } from "../../components/select";
import type { SelectGroup } from "../../components/select-list";
import { VendorMark } from "../../components/vendor-mark";
import { useVendorName } from "../../lib/vendor-name";

const CATEGORIES: VendorForm["category"][] = ["model", "custom", "knowledge-base", "relay"];

/** A number that no type has. */
const NONE = 0;

interface TypeSelectProps {
  /** undefined before the first choice. */
  value: number | undefined;
  onChange: (type: number) => void;
  control: ControlProps;
}

/** Chooses a channel's type. */
export const TypeSelect = ({ value, onChange, control }: TypeSelectProps) => {
  const { t } = useTranslation();
  const nameOf = useVendorName();
  const groups = CATEGORIES.map(
    (category): SelectGroup<number> => ({
      label: t(`channelForm.category.${category}`),
      options: VENDOR_CARDS.filter(({ type }) => VENDOR_FORMS[type]?.category === category).map(
        ({ type, color }) => ({ value: type, label: nameOf(type), mark: <VendorMark color={color} /> }),
      ),
    }),
  );
  const none = { options: [{ value: NONE, label: t("channelForm.chooseType") }] };
  return (
    <Select
      control={control}
      value={value ?? NONE}
      groups={value === undefined ? [none, ...groups] : groups}
      onChange={(type) => type !== NONE && onChange(type)}
    />
  );
};
