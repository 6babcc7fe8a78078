export { DashboardLoading as default } from '@/app/features/dashboard/loading'
