import { getOrganization } from './get-organization.ts'

export const organizations = { getOrganization }
