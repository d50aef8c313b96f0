/** Lists every onboarding flow. @module */
import type { Flow } from "./flow.ts";
import { explainRepo } from "./flows/explain_repo.ts";
import { organizeDownloads } from "./flows/organize_downloads.ts";
import { systemHealth } from "./flows/system_health.ts";

/** Adding a flow is one file and one line here. */
export const flows: readonly Flow[] = [organizeDownloads, explainRepo, systemHealth];
