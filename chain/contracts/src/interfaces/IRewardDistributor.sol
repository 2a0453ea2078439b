// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Rewards paid on signed vouchers, a day's budget at a time
/// @notice A voucher says how much an account has earned in all, so using it twice pays nothing. A
/// bucket that holds one day's budget and refills over 24 hours bounds what a stolen signing key
/// can take: one budget at once, two in its first day.
interface IRewardDistributor {
    /// @notice The voucher's time is over.
    error VoucherExpired(uint256 deadline);
    /// @notice The voucher is not signed by `signer()` for these values.
    error InvalidVoucher();
    /// @notice All of the voucher is paid, or the bucket or the contract is empty.
    error NothingToClaim(address account);
    /// @notice A constructor argument that must name an account is zero.
    error ZeroAddress();
    /// @notice Ownership can be handed over, not given up.
    error OwnershipNotRenounceable();

    /// @notice `amount` was paid, which makes `cumulative` paid to the account in all.
    event Claimed(address indexed account, uint256 amount, uint256 cumulative);
    /// @notice Vouchers count if `signer` signed them.
    event SignerChanged(address indexed signer);
    /// @notice At most `dailyBudget` flows out in a day, after what the bucket holds.
    event BudgetChanged(uint256 dailyBudget);

    /// @notice Pays `account` what the voucher says it has earned and was not yet paid, as far as
    /// the bucket and the balance go; the rest stays claimable. Anyone may bring a voucher.
    function claim(
        address account,
        uint256 cumulativeAmount,
        uint256 deadline,
        bytes calldata signature
    ) external returns (uint256 amount);

    /// @notice Replaces the voucher key; the zero address stops all claims. Owner only.
    function setSigner(address newSigner) external;

    /// @notice Changes the daily budget; the bucket never holds more than it. Owner only.
    function setBudget(uint96 newDailyBudget) external;

    /// @notice The token that is paid out.
    function token() external view returns (IERC20);

    /// @notice The voucher key.
    function signer() external view returns (address);

    /// @notice How much flows into the bucket in a day, and the most it holds.
    function dailyBudget() external view returns (uint256);

    /// @notice What the bucket holds now.
    function available() external view returns (uint256);

    /// @notice What `account` was paid in all.
    function claimed(address account) external view returns (uint256);

    /// @notice What the voucher key signs (EIP-712).
    function claimDigest(address account, uint256 cumulativeAmount, uint256 deadline)
        external
        view
        returns (bytes32);
}
