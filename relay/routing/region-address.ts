import type { VendorRoute } from "@tollgate/vendors/define-vendor";

/** Regions are parts of host names: "us-central1", "global". */
const REGION = /^[a-z][a-z\d-]*$/;

/** Whether a text is a valid region name. */
export const isRegion = (text: string): boolean => REGION.test(text);

/** A route's own base address in a region. */
export const regionAddress = ({ baseUrl, regionAddresses = {} }: VendorRoute, region: string): string =>
  (Object.hasOwn(regionAddresses, region) ? regionAddresses[region] : undefined) ??
  baseUrl.replace("{region}", region);
