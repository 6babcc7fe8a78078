export { DashboardView as default } from '@/app/features/dashboard/view'
