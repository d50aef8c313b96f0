/** The product version that every interface reports. @module */

/** Semantic version of this source tree. */
export const VERSION = "0.1.0";
