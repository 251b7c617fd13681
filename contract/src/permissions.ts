import { permissionsWith } from './scopes.ts'

/** What an ad system calls a permission, as its owner would say it. */
const permissionWords = {
  'https://www.googleapis.com/auth/adwords': 'See and manage campaigns, budgets and reports in Google Ads',
  'https://www.googleapis.com/auth/display-video': 'See and manage campaigns in Display & Video 360',
  'https://www.googleapis.com/auth/doubleclickbidmanager': 'Run and read reports in Display & Video 360',
  'https://www.googleapis.com/auth/dfareporting': 'Run and read reports in Campaign Manager 360',
  'https://www.googleapis.com/auth/dfatrafficking': 'See and manage campaigns and placements in Campaign Manager 360',
  'https://www.googleapis.com/auth/admanager.readonly': 'Read your Ad Manager network and its reports, without changing anything',
  'https://ads.microsoft.com/msads.manage': 'See and manage campaigns, budgets and reports in Microsoft Advertising',
  'advertising::campaign_management': 'See and manage campaigns, budgets and reports in Amazon Ads',
  'snapchat-marketing-api': 'See and manage campaigns, budgets and reports in Snapchat Ads',
  'ads:read': 'Read your ads and their results',
  'ads:write': 'Create and change your ads',
  'user_accounts:read': 'See the name of your account',
  ads_read: 'Read your ads and their results',
  ads_management: 'Create and change your ads and their budgets',
  business_management: 'See which businesses and ad accounts you manage',
  adsread: 'Read your campaigns and their results',
  adsedit: 'Create and change your campaigns',
  r_ads: 'See your ad accounts',
  rw_ads: 'Create and change your ads',
  r_ads_reporting: 'Read the results of your ads',
}

export const permissionsInEnglish = {
  ...permissionWords,
  identity: 'See the name and email address of the user who signs in',
}

export const permissionsIn = (scopes: readonly string[]): string[] => permissionsWith(permissionsInEnglish, scopes)
