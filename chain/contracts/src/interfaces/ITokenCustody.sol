// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Common interface of the two contracts that hold users' money
/// @notice Holds one plain ERC-20 token, charged by exact amounts. A recipient that rejects a
/// transfer does not block the call: the amount is credited and can be withdrawn later.
interface ITokenCustody {
    /// @notice The balance did not grow by exactly the charged amount.
    error TransferMismatch(uint256 expected, uint256 received);
    /// @notice The account has no credit.
    error NothingToWithdraw(address account);
    /// @notice A constructor argument is the zero address.
    error ZeroAddress();

    /// @notice A payout to `account` failed and can be withdrawn with `withdrawCredit`.
    event Credited(address indexed account, uint256 amount);
    /// @notice The whole credit of `account` was paid.
    event CreditWithdrawn(address indexed account, uint256 amount);

    /// @notice Pays the whole credit of `account` to it. Anyone may call this.
    /// @dev Reverts with the token's error while the transfer still fails.
    function withdrawCredit(address account) external;

    /// @notice The token, fixed at deployment.
    function token() external view returns (IERC20);

    /// @notice The amount that `withdrawCredit(account)` pays, in the token's smallest unit.
    function withdrawable(address account) external view returns (uint256);
}
