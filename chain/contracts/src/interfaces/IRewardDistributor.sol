// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Rewards paid against signed vouchers within a daily budget
/// @notice A voucher states how much an account has earned in total, so using it twice pays
/// nothing. A bucket that holds one daily budget and refills over 24 hours limits what a stolen
/// signing key can take: one budget at once, two in the first day.
interface IRewardDistributor {
    /// @notice The voucher expired at `deadline`.
    error VoucherExpired(uint256 deadline);
    /// @notice The voucher is not signed by `signer()` for these values.
    error InvalidVoucher();
    /// @notice The voucher is fully paid, or the bucket or the contract is empty.
    error NothingToClaim(address account);
    /// @notice A constructor argument is the zero address.
    error ZeroAddress();
    /// @notice Ownership can be transferred but not renounced.
    error OwnershipNotRenounceable();

    /// @notice `amount` was paid; the account's total is now `cumulative`.
    event Claimed(address indexed account, uint256 amount, uint256 cumulative);
    /// @notice Vouchers are valid if signed by `signer`.
    event SignerChanged(address indexed signer);
    /// @notice At most `dailyBudget` per day is paid, in addition to the content of the bucket.
    event BudgetChanged(uint256 dailyBudget);

    /// @notice Pays `account` the unpaid part of the voucher, limited by the bucket and the
    /// balance; the rest stays claimable. Anyone may call this.
    function claim(
        address account,
        uint256 cumulativeAmount,
        uint256 deadline,
        bytes calldata signature
    ) external returns (uint256 amount);

    /// @notice Replaces the voucher key. The zero address stops all claims. Owner only.
    function setSigner(address newSigner) external;

    /// @notice Changes the daily budget, which is also the capacity of the bucket. Owner only.
    function setBudget(uint96 newDailyBudget) external;

    /// @notice The token in which rewards are paid.
    function token() external view returns (IERC20);

    /// @notice The voucher key.
    function signer() external view returns (address);

    /// @notice The daily refill of the bucket, and its capacity.
    function dailyBudget() external view returns (uint256);

    /// @notice The current content of the bucket.
    function available() external view returns (uint256);

    /// @notice The total paid to `account`.
    function claimed(address account) external view returns (uint256);

    /// @notice The digest that the voucher key signs (EIP-712).
    function claimDigest(address account, uint256 cumulativeAmount, uint256 deadline)
        external
        view
        returns (bytes32);
}
