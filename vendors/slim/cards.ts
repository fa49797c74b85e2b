import type { Vendor } from "../define-vendor";
import { VENDORS } from "../vendors";
import type { VendorCard } from "./vendor-card";

const cardOf = ({ type, name, color, balance }: Vendor): VendorCard => ({
  type,
  name,
  color,
  ...(balance && { balance: { unit: balance.unit, ...(balance.unitAt && { unitAt: balance.unitAt }) } }),
});

export const VENDOR_CARDS: readonly VendorCard[] = VENDORS.map(cardOf);
