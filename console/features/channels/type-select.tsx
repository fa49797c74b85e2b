import type { VendorCategory } from "@tollgate/vendors/vendor";
import { VENDORS } from "@tollgate/vendors/vendors";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "../../components/field";
import { Select, type SelectGroup } from "../../components/select";
import { VendorMark } from "../../components/vendor-mark";
import { useVendorName } from "./vendor-name";

const CATEGORIES: VendorCategory[] = ["model", "custom", "knowledge-base", "relay"];

interface TypeSelectProps {
  value: number;
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
      options: VENDORS.filter((vendor) => vendor.category === category).map((vendor) => ({
        value: vendor.type,
        label: nameOf(vendor.type),
        mark: <VendorMark color={vendor.color} />,
      })),
    }),
  );
  return <Select control={control} value={value} groups={groups} onChange={onChange} />;
};
